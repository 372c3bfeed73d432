import itertools
import json
from pathlib import Path

import pytest

import anonlab
from anonlab import _command
from anonlab._audit import Audit

ANSWER = {
    "kind": "generalized-table",
    "holds": False,
    "guarantees": [{"name": "k-anonymity", "guarantee": {}, "holds": False, "faults": ["the class of row 1 has 2 rows"]}],
    "measures": [
        {
            "measure": "information-loss",
            "kind": "utility",
            "parameters": {},
            "observations": [{"metric": "gcp", "at": None, "value": 0.25, "unit": "", "better": "lower", "about": "<loss>"}],
        }
    ],
    "witnesses": [{"of": "k-anonymity", "case": "rows 1 and 2", "rows": [1, 2], "row": None}],
}


def test_an_answer_is_a_table_in_text_html_and_as_a_frame() -> None:
    answer = Audit(ANSWER)
    assert not answer.holds
    assert "the class of row 1 has 2 rows" in repr(answer)
    assert "&lt;loss&gt;" in answer._repr_html_() and "<loss>" not in answer._repr_html_()
    assert answer.table["name"].to_list() == ["k-anonymity", "gcp", "k-anonymity"]
    assert answer.table["value"].to_list() == [0.0, 0.25, None]


def test_arguments_become_words_of_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given: list[str] = []

    def call(words: list[str], allowed: object) -> tuple[int, str]:
        given.extend(words)
        assert Path(words[words.index("--original") + 1]).read_text() == "age,ill\n21,flu\n"
        return 1, json.dumps(ANSWER)

    monkeypatch.setattr("anonlab._audit.call", call)
    anonlab.audit(
        [{"age": "21", "ill": "flu"}],
        tmp_path / "release.csv",
        quasi_identifiers=["age"],
        sensitive="ill",
        hierarchies={"age": {"intervals": [5]}},
        guarantees=["k-anonymity:k=5"],
        conventions={"star": "wildcard"},
    )
    pairs = list(itertools.pairwise(given))
    for pair in [
        ("--release", str(tmp_path / "release.csv")),
        ("--quasi-identifiers", "age"),
        ("--sensitive", "ill"),
        ("--hierarchies", 'age={"intervals": [5]}'),
        ("--guarantee", "k-anonymity:k=5"),
        ("--conventions", "star=wildcard"),
    ]:
        assert pair in pairs


def test_a_release_is_held_to_what_is_asked_for() -> None:
    try:
        _command.call(["audit", "--help"])
    except anonlab.AnonlabError:
        pytest.skip("this program has no `audit` yet")
    people = [{"age": str(20 + i), "ill": "flu" if i % 2 else "cold"} for i in range(6)]
    release = [{"age": "[20,22]" if i < 3 else "[23,25]", "ill": row["ill"]} for i, row in enumerate(people)]
    roles = {"quasi_identifiers": ["age"], "sensitive": "ill"}
    assert anonlab.audit(people, release, guarantees=["k-anonymity:k=3"], **roles).holds
    answer = anonlab.audit(people, release, guarantees=["k-anonymity:k=4"], **roles)
    assert not answer.holds
    assert "fewer than 4" in repr(answer)
    with pytest.raises(anonlab.BadInput, match="agee"):
        anonlab.audit(people, release, quasi_identifiers=["agee"], sensitive="ill")
