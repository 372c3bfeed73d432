"""Own functions beside built-in algorithms."""

import html
import inspect
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ._command import call
from ._frames import write_csv
from ._publisher import Publisher
from ._results import Results
from ._run import run

#: What `dataset="adult"` means: the quasi-identifiers and the sensitive attribute of Injector's experiments.
ADULT: dict[str, Any] = {
    "source": "adult",
    "quasi_identifiers": ["age", "workclass", "education", "marital_status", "race", "sex"],
    "sensitive": "occupation",
    "derive": [{"drop_missing": "used"}],
    "hierarchies": {name: f"adult/{name}" for name in ("age", "workclass", "education", "marital_status", "race", "sex")},
}


class Comparison:
    """Who is best, by how much, and whether that could be chance. A notebook shows the table."""

    def __init__(self, results: Results, text: str, data: dict[str, Any]) -> None:
        self.results = results
        #: The comparison as ``anonlab compare`` prints it.
        self.text = text
        #: Everything in it, as ``anonlab compare --format json`` gives it.
        self.data = data

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        # Columns stand below each other in a type of one width alone, which not every notebook gives to <pre>.
        return f"<pre style='font-family:monospace'>{html.escape(self.text)}</pre>"


def compare(
    *publishers: "Publisher[..., Any]",
    against: Sequence[str],
    dataset: Any = "adult",
    metrics: Sequence[str],
    sweep: Mapping[str, Sequence[Any]] | None = None,
    first: int | None = None,
    repetitions: int = 5,
    quasi_identifiers: Iterable[str] | None = None,
    sensitive: str | None = None,
    name: str | None = None,
    out: "str | os.PathLike[str]" = "reports",
    jobs: int | None = None,
    progress: bool = True,
) -> Comparison:
    """Runs functions and built-in algorithms on the same data and compares what their releases are worth.

    ``dataset`` is an entry of the catalogue (``anonlab data list``), a definition as a spec has it, or a frame with
    ``quasi_identifiers`` and ``sensitive``. ``metrics`` are audits and utilities (``anonlab algorithms list``). ``sweep``
    has the values of shared parameters, ``{"l": [2, 4, 6]}``; those left out have the function's default. ``first`` takes
    the first rows alone. The spec and the programs stay in ``out``, to be run again or edited.
    """
    if not publishers:
        raise TypeError("compare() needs a function made with @anonlab.publisher")
    for publisher in publishers:
        if not isinstance(publisher, Publisher):
            raise TypeError(f"{publisher!r} is no publisher: decorate the function with @anonlab.publisher(release=...)")
    name = name or "-".join(publisher.name for publisher in publishers)
    folder = Path(out) / "specs"
    folder.mkdir(parents=True, exist_ok=True)
    source = _dataset(dataset, folder, name, quasi_identifiers, sensitive)
    if first is not None:
        source = {**source, "derive": [*source.get("derive", []), {"first": first}]}
    shared = _shared_parameters(publishers, against)
    axes = {parameter: _jsonable(list(values)) for parameter, values in (sweep or {}).items()}
    for parameter, default in shared.items():
        axes.setdefault(parameter, [default])
    algorithms = {publisher.name: _entry(publisher, folder, set(axes)) for publisher in publishers}
    x = next(iter(axes), "algorithm")
    spec = {
        "anonlab": 1,
        "title": f"{', '.join(algorithms)} against {', '.join(against)}",
        "datasets": {"data": source},
        "algorithms": algorithms,
        "figures": {
            "comparison": {
                "title": "The comparison",
                "datasets": ["data"],
                "algorithms": [*algorithms, *against],
                "measures": list(metrics),
                **({"sweep": {"product": axes}} if axes else {}),
                "repetitions": repetitions,
                "draw": {"x": x, "y": _first_metric(metrics[0])},
            }
        },
    }
    path = folder / f"{name}.yaml"
    # JSON is YAML.
    path.write_text(json.dumps(spec, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    results = run(path, out=out, allow_external=True, jobs=jobs, progress=progress)
    words = ["compare", str(path), "--out", str(out), "--allow-external"]
    if len(publishers) == 1:
        words += ["--baseline", publishers[0].name]
    _, text = call(words)
    _, data = call([*words, "--format", "json"])
    return Comparison(results, text, json.loads(data))


def command(publisher: "Publisher[..., Any]", folder: Path) -> list[str]:
    """The words that start a publisher as a program."""
    program = publisher.program(folder)
    return [sys.executable, str(Path(__file__).with_name("_program.py")), str(program.resolve()), publisher.name]


def _entry(publisher: "Publisher[..., Any]", folder: Path, axes: set[str]) -> dict[str, Any]:
    entry = publisher.entry(folder, command(publisher, folder))
    own = {
        name: _jsonable(default)
        for name, default in publisher.parameters.items()
        if name not in axes and default is not inspect.Parameter.empty
    }
    return {**entry, "parameters": own} if own else entry


def _shared_parameters(publishers: Sequence["Publisher[..., Any]"], against: Sequence[str]) -> dict[str, Any]:
    """Parameters that a function has a default for and that every algorithm it is compared with has too."""
    known = [set(_shown(algorithm)["parameters"].get("properties", {})) for algorithm in against]
    shared: dict[str, Any] = {}
    for publisher in publishers:
        for parameter, default in publisher.parameters.items():
            if default is not inspect.Parameter.empty and known and all(parameter in names for names in known):
                shared.setdefault(parameter, _jsonable(default))
    return shared


def _dataset(
    dataset: Any, folder: Path, name: str, quasi_identifiers: Iterable[str] | None, sensitive: str | None
) -> dict[str, Any]:
    roles: dict[str, Any] = {}
    if quasi_identifiers is not None:
        roles["quasi_identifiers"] = list(quasi_identifiers)
    if sensitive is not None:
        roles["sensitive"] = sensitive
    if isinstance(dataset, str):
        base = ADULT if dataset == "adult" and not roles else {"source": dataset, "stand_in": "allowed"}
        return {**base, **roles}
    if isinstance(dataset, Mapping):
        return {**dataset, **roles}
    if len(roles) < 2:
        raise TypeError("a frame needs `quasi_identifiers` and `sensitive`")
    write_csv(dataset, folder / f"{name}.csv")
    return {"source": {"file": f"{name}.csv", "format": "csv"}, **roles}


def _first_metric(measure: str) -> str:
    metric: str = _shown(measure)["metrics"][0]["name"]
    return metric


def _shown(algorithm: str) -> dict[str, Any]:
    _, text = call(["algorithms", "show", algorithm, "--format", "json"])
    shown: dict[str, Any] = json.loads(text)
    return shown


def _jsonable(value: Any) -> Any:
    """Numbers of numpy become plain ones."""
    if isinstance(value, list):
        return [_jsonable(one) for one in value]
    return value.item() if hasattr(value, "item") else value
