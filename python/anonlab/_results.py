"""What a run left behind."""

import html
import json
import os
from pathlib import Path
from typing import Any

from ._errors import AnonlabError
from ._frames import joined, read_csv


class Figure:
    """A drawn figure; a notebook shows it."""

    def __init__(self, path: Path) -> None:
        #: The figure as SVG; its CSV and JSON are beside it.
        self.path = path

    @property
    def svg(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def data(self) -> Any:
        """What is drawn, as a frame."""
        return read_csv(self.path.with_suffix(".csv"))

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Figure({str(self.path)!r})"


class Experiment:
    """The results of one spec."""

    def __init__(self, folder: Path) -> None:
        if not (folder / "provenance.json").is_file():
            raise AnonlabError(f"{folder} holds no results", 2)
        self.folder = folder

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def measurements(self) -> Any:
        return read_csv(self.folder / "measurements.csv")

    @property
    def costs(self) -> Any:
        return read_csv(self.folder / "costs.csv")

    @property
    def claims(self) -> Any:
        """A row a claim, reading and seed."""
        return read_csv(self.folder / "claims.csv")

    @property
    def standings(self) -> Any:
        """A row a claim: whether it holds under every reading and seed."""
        return read_csv(self.folder / "standings.csv")

    @property
    def provenance(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "provenance.json").read_text(encoding="utf-8"))
        return found

    @property
    def figures(self) -> list[str]:
        return sorted(path.stem for path in (self.folder / "figures").glob("*.svg"))

    def figure(self, figure: str) -> Figure:
        path = self.folder / "figures" / f"{figure}.svg"
        if not path.is_file():
            raise KeyError(f"{self.name} has no figure {figure!r}; it has {', '.join(self.figures) or 'none'}")
        return Figure(path)

    def __repr__(self) -> str:
        return f"Experiment({str(self.folder)!r})"


class Results:
    """The results of one or more specs in a directory. A notebook shows their summary."""

    def __init__(self, directory: Path, names: list[str], summary: str = "") -> None:
        self.directory = directory
        self.experiments = {name: Experiment(directory / name) for name in names}
        #: What the program said at the end of the run.
        self.summary = summary

    @classmethod
    def read(cls, directory: "str | os.PathLike[str]", summary: str = "") -> "Results":
        root = Path(directory)
        names = sorted(path.parent.name for path in root.glob("*/provenance.json"))
        if not names:
            raise AnonlabError(f"{root} holds no results: `anonlab.run(spec, out=...)` writes some", 2)
        return cls(root, names, summary)

    @property
    def report(self) -> Path:
        """The report: open it in a browser."""
        return self.directory / "index.html"

    @property
    def measurements(self) -> Any:
        return self._frame("measurements")

    @property
    def costs(self) -> Any:
        return self._frame("costs")

    @property
    def claims(self) -> Any:
        return self._frame("claims")

    @property
    def standings(self) -> Any:
        return self._frame("standings")

    def figure(self, figure: str) -> Figure:
        """A figure by its id; ``experiment/figure`` where two experiments have one of that name."""
        experiment, _, name = figure.rpartition("/")
        if experiment:
            if experiment not in self.experiments:
                raise KeyError(f"there is no experiment {experiment!r}; there is {', '.join(self.experiments)}")
            return self.experiments[experiment].figure(name)
        having = [found for found in self.experiments.values() if name in found.figures]
        if not having:
            known = ", ".join(sorted({name for found in self.experiments.values() for name in found.figures}))
            raise KeyError(f"there is no figure {name!r}; there is {known or 'none'}")
        if len(having) > 1:
            choices = " or ".join(repr(f"{found.name}/{name}") for found in having)
            raise KeyError(f"several experiments have a figure {name!r}: say {choices}")
        return having[0].figure(name)

    def _frame(self, name: str) -> Any:
        if len(self.experiments) == 1:
            return getattr(next(iter(self.experiments.values())), name)
        return joined([(found.name, getattr(found, name)) for found in self.experiments.values()])

    def __repr__(self) -> str:
        names = ", ".join(self.experiments)
        return f"Results of {names} in {self.directory}" + (f"\n{self.summary}" if self.summary else "")

    def _repr_html_(self) -> str:
        parts = []
        for experiment in self.experiments.values():
            card = experiment.folder / "card.json"
            title = json.loads(card.read_text(encoding="utf-8")).get("title", "") if card.is_file() else ""
            parts.append(f"<h3>{html.escape(title or experiment.name)}</h3>")
            parts.append(_standings_html(experiment))
        report = html.escape(str(self.report))
        # Where the report is stands below it.
        told = "\n".join(line for line in self.summary.splitlines() if not line.startswith("report:"))
        summary = f"<pre>{html.escape(told)}</pre>" if told else ""
        return f"{''.join(parts)}{summary}<p>Report: <code>{report}</code></p>"


def _standings_html(experiment: Experiment) -> str:
    import csv

    with open(experiment.folder / "standings.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        return f"<p>{len(experiment.figures)} figures, no claims.</p>"
    columns = ("figure", "claim", "verdict", "standing")
    head = "<tr>" + "".join(f"<th style='text-align:left'>{name}</th>" for name in columns) + "</tr>"
    body = "".join(
        "<tr>"
        + "".join(f"<td style='text-align:left'>{html.escape(row.get(name) or '')}</td>" for name in columns)
        + "</tr>"
        for row in rows
    )
    return f"<table>{head}{body}</table>"
