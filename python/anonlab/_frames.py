"""CSV files as frames of whichever library is there."""

import csv
import importlib
from pathlib import Path
from typing import Any


def read_csv(path: Path) -> Any:
    """A polars frame; else a pandas one; else a list of dictionaries of texts."""
    polars = _module("polars")
    if polars is not None:
        # A column may begin with thousands of whole numbers and end with a fraction.
        return polars.read_csv(path, infer_schema_length=None)
    pandas = _module("pandas")
    if pandas is not None:
        return pandas.read_csv(path)
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def frame_of(rows: "list[dict[str, Any]]", columns: "tuple[str, ...]") -> Any:
    """Rows as a frame of whichever library is there, with these columns where there are no rows, too."""
    polars, pandas = _module("polars"), _module("pandas")
    if polars is not None:
        of_columns = {column: [row[column] for row in rows] for column in columns}
        return polars.DataFrame(of_columns, strict=False)
    if pandas is not None:
        return pandas.DataFrame(rows, columns=list(columns))
    return rows


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def joined(parts: "list[tuple[str, Any]]") -> Any:
    """Frames of several experiments as one, with a column that says of which."""
    polars, pandas = _module("polars"), _module("pandas")
    if polars is not None:
        frames = [frame.insert_column(0, polars.lit(name).alias("experiment")) for name, frame in parts]
        return polars.concat(frames, how="diagonal_relaxed") if frames else polars.DataFrame()
    if pandas is not None:
        for name, frame in parts:
            frame.insert(0, "experiment", name)
        return pandas.concat([frame for _, frame in parts], ignore_index=True) if parts else pandas.DataFrame()
    return [{"experiment": name, **row} for name, rows in parts for row in rows]


def write_csv(data: Any, path: Path) -> list[str]:
    """Writes a frame, or a list of dictionaries; gives the names of its columns."""
    if hasattr(data, "write_csv"):  # polars
        data.write_csv(path)
        return [str(name) for name in data.columns]
    if hasattr(data, "to_csv"):  # pandas
        data.to_csv(path, index=False, lineterminator="\n")
        return [str(name) for name in data.columns]
    rows = list(data)
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise TypeError("a polars or pandas frame, or a list of dictionaries with at least one row, is needed")
    names = [str(name) for name in rows[0]]
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return names
