import textwrap
from pathlib import Path

import pytest

SPEC = textwrap.dedent(
    """\
    anonlab: 1
    title: Anatomy on a few rows of Adult
    datasets:
      adult:
        source: adult
        quasi_identifiers: [age, education, sex]
        sensitive: occupation
        derive: [{drop_missing: used}, {first: 500}]
    figures:
      groups:
        title: Groups against l
        datasets: [adult]
        algorithms: [anatomy]
        measures: [query-error]
        sweep: {product: {l: [2, 4, 6]}}
        draw: {x: l, y: groups}
        claims:
          - {says: Fewer groups for a larger l, metric: groups, is: {falling: {along: l}}}
    """
)


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "small.yaml"
    path.write_text(SPEC, encoding="utf-8")
    return path
