"""What a publisher is given, and how what it gives becomes the files of a release."""

import csv
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Request = Mapping[str, Any]


@dataclass(frozen=True)
class Roles:
    """What the columns of a table are."""

    quasi_identifiers: list[str]
    sensitive: str
    #: The quasi-identifiers whose every value is a number, or missing (``?`` or nothing).
    numeric: list[str]
    #: Of those that have one: a map from each node of its hierarchy to the node above it; the root is in no key.
    hierarchies: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """A table of texts: the quasi-identifiers in their order, then the sensitive attribute."""

    columns: list[str]
    rows: list[list[str]]
    roles: Roles

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> list[str]:
        place = self.columns.index(name)
        return [row[place] for row in self.rows]

    def to_pandas(self) -> Any:
        """Numeric quasi-identifiers become numbers where none is missing."""
        import pandas

        frame = pandas.DataFrame(self.rows, columns=self.columns, dtype=str)
        for name in self.roles.numeric:
            numbers = pandas.to_numeric(frame[name], errors="coerce")
            if not numbers.isna().any():
                frame[name] = numbers
        return frame

    def to_polars(self) -> Any:
        """Numeric quasi-identifiers become numbers where none is missing."""
        import polars

        schema = {name: polars.String for name in self.columns}
        frame = polars.DataFrame(self.rows, schema=schema, orient="row")
        for name in self.roles.numeric:
            for kind in (polars.Int64, polars.Float64):
                numbers = frame[name].cast(kind, strict=False)
                if numbers.null_count() == 0:
                    frame = frame.with_columns(numbers)
                    break
        return frame


@dataclass(frozen=True)
class Transactions:
    """Sets of items, and what is known of the items."""

    rows: list[list[str]]
    #: Every item of the domain.
    items: list[str]
    private: set[str]
    #: From each node of the hierarchy to the one above it; the root is in no key. None where there is no hierarchy.
    parent: dict[str, str] | None

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Rule:
    """``antecedent`` ⇒ ``consequent``, with the records that match the first and both."""

    antecedent: Mapping[str, str]
    consequent: str
    antecedent_records: int
    rule_records: int


def read_input(request: Request) -> Table | Transactions:
    given = request["input"]
    return _table(given) if given["kind"] == "table" else _transactions(given)


def _table(given: Mapping[str, Any]) -> Table:
    with open(given["table"], newline="", encoding="utf-8") as file:
        columns, *rows = csv.reader(file)
    known = given["quasi_identifiers"]
    hierarchies = {one["name"]: _parents(one["hierarchy"]) for one in known if one.get("hierarchy")}
    numeric = [one["name"] for one in known if one["kind"] == "numeric"]
    roles = Roles([one["name"] for one in known], given["sensitive"], numeric, hierarchies)
    return Table(columns, rows, roles)


def _transactions(given: Mapping[str, Any]) -> Transactions:
    with open(given["transactions"], encoding="utf-8") as file:
        rows = [line.split() for line in file]
    with open(given["items"], newline="", encoding="utf-8") as file:
        roles = {line["item"]: line["role"] for line in csv.DictReader(file)}
    parent = _parents(given["hierarchy"]) if given.get("hierarchy") else None
    return Transactions(rows, list(roles), {item for item, role in roles.items() if role == "private"}, parent)


def _parents(path: str) -> dict[str, str]:
    with open(path, newline="", encoding="utf-8") as file:
        return {line["node"]: line["parent"] for line in csv.DictReader(file) if line["parent"]}


def write_release(given: Any, data: Table | Transactions, request: Request) -> None:
    """Writes what a publisher of this kind gave. A wrong type or length is a TypeError or ValueError that says so; whether
    the release is right and private is for the lab's verifier."""
    output = Path(request["output"])
    WRITERS[request["release"]](given, data, request, output)


def _write_buckets(given: Any, data: Any, request: Request, output: Path) -> None:
    groups = [int(group) for group in given]
    _same_length(groups, data.rows, "a group for each row")
    sensitive = data.columns[-1]
    _write(output / "qit.csv", [*data.columns[:-1], "group_id"], ([*r[:-1], g] for r, g in zip(data.rows, groups)))
    values = Counter((group, row[-1]) for row, group in zip(data.rows, groups))
    lines = ([group, value, number] for (group, value), number in sorted(values.items()))
    _write(output / "st.csv", ["group_id", sensitive, "count"], lines)


def _write_generalized_table(given: Any, data: Any, request: Request, output: Path) -> None:
    width = len(data.columns)
    released = []
    rows = _rows_of(given)
    _same_length(rows, data.rows, "a row for each row of the input, None where it is suppressed")
    for number, (row, original) in enumerate(zip(rows, data.rows), 1):
        if row is None:
            released.append(["*"] * width)
            continue
        cells = [str(cell) for cell in row]
        if len(cells) == width - 1:
            cells.append(original[-1])
        if len(cells) != width:
            raise ValueError(f"row {number} has {len(cells)} cells instead of {width}")
        released.append(cells)
    _write(output / "table.csv", data.columns, released)


def _write_generalized_transactions(given: Any, data: Any, request: Request, output: Path) -> None:
    if not isinstance(given, Mapping):
        raise TypeError("a dictionary from each item to the node that stands for it is needed")
    absent = [item for item in data.items if item not in given]
    if absent:
        raise ValueError(f"{len(absent)} items have no node, {absent[0]!r} first")
    nodes = {item: str(given[item]) for item in data.items}
    # Nodes are published as numbers; the cut says what they mean.
    number = {node: place for place, node in enumerate(sorted(set(nodes.values())))}
    with open(output / "transactions.dat", "w", encoding="utf-8") as file:
        for row in data.rows:
            file.write(" ".join(map(str, sorted({number[nodes[item]] for item in row}))) + "\n")
    _write(output / "cut.csv", ["item", "id", "node"], ([item, number[nodes[item]], nodes[item]] for item in data.items))


def _write_suppressed_transactions(given: Any, data: Any, request: Request, output: Path) -> None:
    suppressed = {str(item) for item in given}
    unknown = suppressed.difference(data.items)
    if unknown:
        raise ValueError(f"{min(unknown)!r} is suppressed, but is no item")
    with open(output / "transactions.dat", "w", encoding="utf-8") as file:
        for row in data.rows:
            file.write(" ".join(item for item in row if item not in suppressed) + "\n")
    _write(output / "suppressed.csv", ["item"], ([item] for item in sorted(suppressed)))


def _write_rules(given: Any, data: Any, request: Request, output: Path) -> None:
    parameters = request["parameters"]
    lines = []
    for rule in given:
        if not isinstance(rule, Rule):
            raise TypeError(f"an anonlab.Rule is needed instead of {type(rule).__name__}")
        unknown = [name for name in rule.antecedent if name not in data.roles.quasi_identifiers]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is no quasi-identifier")
        known = ["*" if name not in rule.antecedent else _escaped(rule.antecedent[name]) for name in data.columns[:-1]]
        counts = [rule.antecedent_records, rule.rule_records] if parameters["exact"] else ["", ""]
        lines.append([*known, _escaped(rule.consequent), *counts])
    _write(output / "rules.csv", [*data.columns, "antecedent_records", "rule_records"], lines)
    thresholds = ("support", "confidence", "strict_confidence", "round_down", "empty_antecedent")
    distribution = Counter(row[-1] for row in data.rows) if parameters["sensitive_distribution"] else None
    common = {
        "records": len(data.rows),
        "thresholds": {name: parameters[name] for name in thresholds},
        "complete": parameters["first"] is None,
        "sensitive_records": distribution,
    }
    (output / "rules.json").write_text(json.dumps(common), encoding="utf-8")


WRITERS: dict[str, Callable[[Any, Any, Request, Path], None]] = {
    "buckets": _write_buckets,
    "generalized-table": _write_generalized_table,
    "generalized-transactions": _write_generalized_transactions,
    "suppressed-transactions": _write_suppressed_transactions,
    "rules": _write_rules,
}


def _escaped(value: str) -> str:
    """``*`` stands for any value, so one that begins so is marked."""
    return "\\" + value if value.startswith(("*", "\\")) else value


def _rows_of(given: Any) -> list[Any]:
    if hasattr(given, "iter_rows"):  # polars
        return list(given.iter_rows())
    if hasattr(given, "itertuples"):  # pandas
        return list(given.itertuples(index=False, name=None))
    return list(given)


def _same_length(given: Sequence[Any], rows: Sequence[Any], what: str) -> None:
    if len(given) != len(rows):
        raise ValueError(f"{what} is needed: {len(rows)}, not {len(given)}")


def _write(path: "str | os.PathLike[str]", header: Iterable[str], lines: Iterable[Iterable[Any]]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(list(header))
        writer.writerows(lines)
