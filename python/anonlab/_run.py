"""Runs specs."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ._command import call_with_progress
from ._progress import progress as bar
from ._results import Results

#: Status of a run in which a cell or a claim failed: its results are there all the same.
NOT_ALL_WELL = 1


def run(
    *specs: "str | os.PathLike[str]",
    out: "str | os.PathLike[str]" = "reports",
    only: Iterable[str] = (),
    set: Mapping[str, Any] | None = None,
    quick: bool = False,
    seed: int | None = None,
    readings: str | None = None,
    seeds: int | None = None,
    jobs: int | None = None,
    fresh: bool = False,
    allow_external: bool = False,
    data_dir: "str | os.PathLike[str] | None" = None,
    progress: bool = True,
) -> Results:
    """Runs specs, resuming what the store in ``out`` has, and gives their results.

    ``set`` changes a spec at paths, as ``--set`` does: ``{"fig1.l": [2, 4]}``. Cells that fail and claims that do not
    hold raise nothing: they are rows of the results. A spec that is wrong raises :class:`BadInput`.
    """
    if not specs:
        raise TypeError("run() needs a spec")
    words = ["run", *(os.fspath(spec) for spec in specs)]
    words += [word for figure in only for word in ("--only", figure)]
    if data_dir is not None:
        words += ["--data-dir", os.fspath(data_dir)]
    words += _options(out, set, quick, seed, readings, seeds, jobs, fresh, allow_external)
    _, summary = call_with_progress(words, bar(progress), (0, NOT_ALL_WELL))
    return Results(Path(out), [Path(spec).stem for spec in specs], summary)


def reproduce(
    out: "str | os.PathLike[str]" = "reports",
    *,
    set: Mapping[str, Any] | None = None,
    quick: bool = False,
    thorough: bool = False,
    seed: int | None = None,
    readings: str | None = None,
    seeds: int | None = None,
    jobs: int | None = None,
    fresh: bool = False,
    data_dir: "str | os.PathLike[str] | None" = None,
    progress: bool = True,
) -> Results:
    """Runs every paper's spec: those in ``./experiments``, or else those inside the program."""
    words = ["reproduce"] + (["--thorough"] if thorough else [])
    if data_dir is not None:
        words += ["--data-dir", os.fspath(data_dir)]
    words += _options(out, set, quick, seed, readings, seeds, jobs, fresh, False)
    _, summary = call_with_progress(words, bar(progress), (0, NOT_ALL_WELL))
    return Results.read(out, summary)


def results(out: "str | os.PathLike[str]" = "reports") -> Results:
    """What earlier runs left in a directory."""
    return Results.read(out)


def _options(
    out: "str | os.PathLike[str]",
    set: Mapping[str, Any] | None,
    quick: bool,
    seed: int | None,
    readings: str | None,
    seeds: int | None,
    jobs: int | None,
    fresh: bool,
    allow_external: bool,
) -> list[str]:
    words = ["--out", os.fspath(out)]
    for path, value in (set or {}).items():
        # JSON is YAML.
        words += ["--set", f"{path}={json.dumps(value)}"]
    valued = [("--seed", seed), ("--readings", readings), ("--seeds", seeds), ("--jobs", jobs)]
    for name, value in valued:
        words += [name, str(value)] if value is not None else []
    flags = [("--quick", quick), ("--fresh", fresh), ("--allow-external", allow_external)]
    return words + [name for name, given in flags if given]
