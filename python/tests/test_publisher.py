from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import anonlab
from anonlab._source import program_text

PROGRAM = '''\
from collections import Counter

import anonlab
from own_limits import LIMIT


@anonlab.publisher(release="buckets", counters=["groups"])
def dealt(table, l: int = 4, seed: int = 0):
    """Rows sorted by sensitive value, dealt out like cards."""
    value, count = Counter(table.column(table.roles.sensitive)).most_common(1)[0]
    if count * l > LIMIT * len(table):
        raise anonlab.Refusal(f"not {l}-eligible: {value!r} is in {count} of {len(table)} rows")
    print("this goes to standard error")
    with anonlab.phase("dealing"):
        order = sorted(range(len(table)), key=lambda row: table.rows[row][-1])
        groups = len(table) // l
        group_of = [0] * len(table)
        for place, row in enumerate(order):
            group_of[row] = place % groups
    anonlab.count("groups", groups)
    return group_of


@anonlab.publisher(release="buckets")
def alone(table, l: int = 4):
    return range(len(table))
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    import importlib

    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_publishers.py").write_text(PROGRAM)
    (tmp_path / "own_limits.py").write_text("LIMIT = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    import sys

    sys.modules.pop("own_publishers", None)
    sys.modules.pop("own_limits", None)
    return importlib.import_module("own_publishers")


def test_a_function_is_compared_with_a_built_in_algorithm(module: Any) -> None:
    comparison = anonlab.compare(
        module.dealt, against=["anatomy"], dataset="adult", metrics=["query-error"], first=600, repetitions=2
    )
    assert "dealt" in comparison.text and "anatomy" in comparison.text
    measured = comparison.results.measurements
    assert set(measured["algorithm"]) == {"dealt", "anatomy"}
    assert set(measured["status"]) == {"ok"}
    groups = measured.filter((measured["metric"] == "groups") & (measured["algorithm"] == "dealt"))
    assert set(groups["value"]) == {150.0}


def test_a_frame_is_a_dataset(module: Any) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"age": list(range(40)) * 2, "sex": ["f", "m"] * 40, "illness": ["a", "b", "c", "d"] * 20})
    comparison = anonlab.compare(
        module.dealt,
        against=["anatomy"],
        dataset=frame,
        quasi_identifiers=["age", "sex"],
        sensitive="illness",
        metrics=["confidence-error"],
        sweep={"l": [2, 3]},
        repetitions=1,
    )
    assert set(comparison.results.measurements["l"]) == {2, 3}


def test_a_release_that_is_not_private_is_invalid(module: Any) -> None:
    comparison = anonlab.compare(
        module.dealt, module.alone, against=[], metrics=["query-error"], sweep={"l": [2]}, first=100, repetitions=1
    )
    measured = comparison.results.measurements
    assert set(measured.filter(measured["algorithm"] == "alone")["status"]) == {"invalid"}


def test_the_conformance_suite_judges_a_function(module: Any) -> None:
    assert anonlab.check(module.dealt)
    verdict = anonlab.check(module.alone)
    assert not verdict
    assert "not" in verdict.text


def test_a_function_of_a_notebook_is_written_with_what_it_uses() -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    source = (
        "import math\nLIMIT = (1, 2)\n\ndef helper(x):\n    return math.floor(x) + LIMIT[0]\n\n"
        "def mine(table, l=2):\n    return [helper(i / l) for i in range(len(table))]\n"
    )
    import linecache

    linecache.cache["<cell>"] = (len(source), None, source.splitlines(keepends=True), "<cell>")
    exec(compile(source, "<cell>", "exec"), names)
    text = program_text(names["mine"], "mine", '@anonlab.publisher(release="buckets")')
    loaded: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "<program>", "exec"), loaded)
    assert loaded["mine"]([0] * 4, l=2) == [1, 1, 2, 2]
    names["mine"].__globals__["LIMIT"] = object()
    with pytest.raises(TypeError, match="`LIMIT`, a object"):
        program_text(names["mine"], "mine", "")


def test_wrong_definitions_are_told() -> None:
    with pytest.raises(ValueError, match="release is 'bucket'"):
        anonlab.publisher(release="bucket")
    with pytest.raises(TypeError, match="no argument for the data"):
        anonlab.publisher(release="buckets")(lambda: [])
    with pytest.raises(TypeError, match="is no publisher"):
        anonlab.compare(Counter, against=["anatomy"], metrics=["query-error"])  # type: ignore[arg-type]
