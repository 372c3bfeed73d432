from pathlib import Path

import pytest

import anonlab
from anonlab import _command, _progress


def rows(frame: object) -> int:
    return len(frame)  # type: ignore[arg-type]


def test_a_run_gives_frames_figures_and_a_summary(spec: Path) -> None:
    results = anonlab.run(spec, set={"groups.l": [2, 4]}, quick=True)
    groups = results.measurements.filter(results.measurements["metric"] == "groups")
    assert groups["l"].to_list() == [2, 4]
    assert rows(results.costs) > 0
    assert results.claims["verdict"].to_list() == ["holds"]
    assert results.standings["claim"].to_list() == ["Fewer groups for a larger l"]
    assert results.figure("groups").svg.startswith("<svg")
    assert results.figure("small/groups")._repr_svg_() == results.figure("groups").svg
    assert rows(results.figure("groups").data) == 2
    assert "Fewer groups for a larger l" in results._repr_html_()
    assert results.report.is_file()
    assert "1 figure of 1 experiment" in results.summary


def test_results_of_an_earlier_run_can_be_read(spec: Path) -> None:
    anonlab.run(spec, out="elsewhere", quick=True)
    assert list(anonlab.results("elsewhere").experiments) == ["small"]
    with pytest.raises(anonlab.AnonlabError, match="nowhere holds no results"):
        anonlab.results("nowhere")


def test_a_wrong_spec_is_an_exception_with_file_and_line(spec: Path) -> None:
    spec.write_text(spec.read_text().replace("algorithms: [anatomy]", "algorithms: [anatomi]"))
    with pytest.raises(anonlab.BadInput, match="did you mean `anatomy`") as caught:
        anonlab.run(spec)
    [location] = caught.value.locations
    assert (location.file.name, location.line) == ("small.yaml", 13)


def test_an_unknown_figure_is_told_with_those_there_are(spec: Path) -> None:
    results = anonlab.run(spec, quick=True)
    with pytest.raises(KeyError, match="there is groups"):
        results.figure("group")


def test_progress_reaches_the_number_of_cells(spec: Path) -> None:
    seen: list[tuple[int, int]] = []

    class Seen:
        def reached(self, done: int, cells: int, cached: int, not_ok: int) -> None:
            seen.append((done, cells))

        def end(self) -> None:
            seen.append((-1, -1))

    _command.call_with_progress(["run", str(spec)], Seen())
    assert seen[0] == (0, 3)
    assert seen[-2:] == [(3, 3), (-1, -1)]
    assert _progress.text(3, 3, 1, 0) == "3/3 cells · 1 from the store"


def test_the_papers_specs_are_inside_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results = anonlab.run("experiments/anatomy.yaml", only=["time"], quick=True, set={"time.l": [2]}, readings="none")
    assert list(results.experiments) == ["anatomy"]


def test_the_module_runs_as_the_command(tmp_path: Path) -> None:
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-m", "anonlab", "--version"], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.split() == ["anonlab", anonlab.version()]
