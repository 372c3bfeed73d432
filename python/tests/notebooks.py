"""Runs the notebooks of ``docs/notebooks`` in an empty directory and looks at their outputs: ``python notebooks.py DIR``."""

import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

#: What the outputs must have in them, by notebook.
EXPECTED = {
    "first-steps": ["<svg", "Diversity costs accuracy", "did you mean `anatomy`"],
    "own-algorithm": ["dealt", "anatomy", "<svg", "median_relative_error"],
}


def main(directory: str) -> None:
    for path in sorted(Path(directory).glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        with tempfile.TemporaryDirectory() as folder:
            NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
        shown = "".join(text for cell in notebook.cells for text in outputs(cell))
        absent = [text for text in EXPECTED[path.stem] if text not in shown]
        if absent:
            sys.exit(f"{path}: the outputs lack {absent}:\n{shown[:4000]}")
        print(f"{path.name}: {len(notebook.cells)} cells ran")


def outputs(cell: Any) -> list[str]:
    """The texts of a cell's outputs, in every form it has."""
    texts = []
    for output in cell.get("outputs", []):
        texts.append(output.get("text", ""))
        texts += [str(value) for value in output.get("data", {}).values()]
    return texts


if __name__ == "__main__":
    main(sys.argv[1])
