"""A finished release beside its original."""

import html
import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ._command import call
from ._frames import frame_of, write_csv

COLUMNS = ("section", "name", "at", "value", "unit", "words")


class Audit:
    """What the release reaches, what adversaries learn from it and what analysts can still do with it."""

    def __init__(self, data: Any) -> None:
        #: Everything, as ``anonlab audit --format json`` gives it.
        self.data = data

    @property
    def holds(self) -> bool:
        """Whether it is a release of the original that keeps every guarantee asked for."""
        return bool(self.data["holds"])

    @property
    def table(self) -> Any:
        """One row a guarantee, a measured value or a witness, as a frame."""
        return frame_of(self._rows(), COLUMNS)

    def _rows(self) -> list[dict[str, Any]]:
        always = [self.data.get("truth"), self.data.get("form")]
        broken = [held for held in always if held and not held["holds"]]
        rows = [
            # A guarantee that was not decided has no value.
            _row("guarantee", held["name"], value=_verdict(held["holds"]), words="; ".join(held["faults"]))
            for held in [*broken, *self.data["guarantees"]]
        ]
        for measure in self.data["measures"]:
            for seen in measure["observations"]:
                at = seen["at"] if isinstance(seen["at"], str) else json.dumps(seen["at"]) if seen["at"] else ""
                rows.append(_row(measure["kind"], seen["metric"], at, seen["value"], seen["unit"], seen["about"]))
        rows += [_row("witness", seen["of"], words=seen["case"]) for seen in self.data["witnesses"]]
        return rows

    def _title(self) -> str:
        verdict = "holds" if self.holds else "does not hold"
        return f"{self.data['kind']}: {'what was asked for' if self.data['guarantees'] else 'truth'} {verdict}"

    def __repr__(self) -> str:
        lines = [[_text(row[column]) for column in COLUMNS] for row in self._rows()]
        widths = [max((len(line[i]) for line in lines), default=0) for i in range(len(COLUMNS) - 1)]
        told = ["  ".join([*(cell.ljust(width) for cell, width in zip(line, widths)), line[-1]]).rstrip() for line in lines]
        return "\n".join([self._title(), *told])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{column}</th>" for column in COLUMNS)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_text(row[column]))}</td>" for column in COLUMNS) + "</tr>"
            for row in self._rows()
        )
        return f"<h3>{html.escape(self._title())}</h3><table><tr>{head}</tr>{body}</table>"


def _row(
    section: str, name: str, at: str = "", value: "float | None" = None, unit: str = "", words: str = ""
) -> dict[str, Any]:
    return dict(zip(COLUMNS, (section, name, at, value, unit, words)))


def _verdict(holds: "bool | None") -> "float | None":
    return None if holds is None else float(holds)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def audit(
    original: Any,
    release: Any,
    *,
    quasi_identifiers: Iterable[str] = (),
    sensitive: "str | Iterable[str]" = (),
    kind: str | None = None,
    hierarchies: "Mapping[str, Any] | None" = None,
    guarantees: Sequence[str] = (),
    measures: Sequence[str] = (),
    conventions: "Mapping[str, str] | None" = None,
    rows: str = "aligned",
    options: Sequence[str] = (),
) -> Audit:
    """Audits a release. Both may be frames or paths, ``original`` the name of a catalogue entry or None, too.

    ``guarantees`` and ``measures`` are written as on the command line: ``"k-anonymity:k=5"``. A hierarchy is a file, the
    name of one that comes with the program, or what a spec would have: ``{"intervals": [5, 10]}``. ``rows="any"`` matches
    rows that are in another order. ``options`` are further words of ``anonlab audit``."""
    with tempfile.TemporaryDirectory(prefix="anonlab-") as folder:
        words = ["audit", "--format", "json", "--release", _path(release, Path(folder) / "release.csv")]
        if original is not None:
            words += ["--original", _path(original, Path(folder) / "original.csv")]
        attributes = [sensitive] if isinstance(sensitive, str) else list(sensitive)
        known = list(quasi_identifiers)
        words += ["--quasi-identifiers", ",".join(known)] if known else []
        words += ["--sensitive", ",".join(attributes)] if attributes else []
        words += ["--kind", kind] if kind is not None else []
        for column, tree in (hierarchies or {}).items():
            words += ["--hierarchies", f"{column}={tree if isinstance(tree, (str, os.PathLike)) else json.dumps(tree)}"]
        for guarantee in guarantees:
            words += ["--guarantee", guarantee]
        for measure in measures:
            words += ["--measures", measure]
        for name, value in (conventions or {}).items():
            words += ["--conventions", f"{name}={value}"]
        words += ["--rows", rows, *options]
        _, data = call(words, (0, 1))
        return Audit(json.loads(data))


def _path(given: Any, path: Path) -> str:
    if isinstance(given, (str, os.PathLike)):
        return os.fspath(given)
    write_csv(given, path)
    return str(path)
