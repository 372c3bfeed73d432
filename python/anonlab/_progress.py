"""A bar in notebooks and terminals."""

import sys
from typing import Any, Protocol


class Progress(Protocol):
    def reached(self, done: int, cells: int, cached: int, not_ok: int) -> None: ...

    def end(self) -> None: ...


def progress(wanted: bool) -> Progress:
    """In a notebook a bar, on a terminal a line, else nothing."""
    if not wanted:
        return _Nothing()
    if _in_notebook():
        return _Notebook()
    return _Terminal() if sys.stderr.isatty() else _Nothing()


def _in_notebook() -> bool:
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell"


def text(done: int, cells: int, cached: int, not_ok: int) -> str:
    notes = [f"{done}/{cells} cells"]
    if cached:
        notes.append(f"{cached} from the store")
    if not_ok:
        notes.append(f"{not_ok} not ok")
    return " · ".join(notes)


class _Nothing:
    def reached(self, done: int, cells: int, cached: int, not_ok: int) -> None:
        pass

    def end(self) -> None:
        pass


class _Terminal:
    def reached(self, done: int, cells: int, cached: int, not_ok: int) -> None:
        filled = 30 * done // cells if cells else 30
        bar = "█" * filled + "░" * (30 - filled)
        print(f"\r{bar} {text(done, cells, cached, not_ok)}\x1b[K", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class _Notebook:
    def __init__(self) -> None:
        self._shown: Any = None

    def reached(self, done: int, cells: int, cached: int, not_ok: int) -> None:
        from IPython.display import HTML, display

        share = f'<progress value="{done}" max="{max(cells, 1)}" style="width:20em"></progress>'
        html: Any = HTML(f"<div>{share} {text(done, cells, cached, not_ok)}</div>")
        if self._shown is None:
            self._shown = display(html, display_id=True)
        else:
            self._shown.update(html)

    def end(self) -> None:
        # What was reached stays to be seen.
        self._shown = None
