"""An algorithm as a Python function."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

from ._release import WRITERS
from ._source import helper_files, program_file

P = ParamSpec("P")
R = TypeVar("R")

#: How a table is given to the function.
FORMS = ("table", "pandas", "polars")


class Publisher(Generic[P, R]):
    """A function that anonymizes. Calling it calls the function; :func:`anonlab.compare` and :func:`anonlab.check` run it
    as a program of its own, behind the protocol for external algorithms."""

    def __init__(
        self, function: Callable[P, R], release: str, data: str, counters: list[str], guarantee: str | None
    ) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.release = release
        self.data = data
        self.counters = counters
        self.guarantee = guarantee
        self.name = function.__name__
        self.parameters = _parameters(function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.function(*args, **kwargs)

    @property
    def takes_seed(self) -> bool:
        return "seed" in inspect.signature(self.function).parameters

    def program(self, folder: Path) -> Path:
        """The file that has this function: the module's own, or one written to ``folder`` for a function of a notebook or
        script."""
        return program_file(self.function, self.name, folder, self._decorator())

    def entry(self, folder: Path, command: list[str]) -> dict[str, Any]:
        """What a spec says of it below ``algorithms``."""
        entry: dict[str, Any] = {"command": command, "release": self.release, "randomized": self.takes_seed}
        helpers = helper_files(self.function)
        if helpers:
            entry["files"] = helpers
        if self.counters:
            entry["counters"] = self.counters
        if self.guarantee is not None:
            entry["guarantee"] = self.guarantee
        return entry

    def _decorator(self) -> str:
        return (
            f"@anonlab.publisher(release={self.release!r}, data={self.data!r}, "
            f"counters={self.counters!r}, guarantee={self.guarantee!r})"
        )


def publisher(
    *, release: str, data: str = "table", counters: list[str] | None = None, guarantee: str | None = None
) -> Callable[[Callable[P, R]], Publisher[P, R]]:
    """Makes a publisher of a function.

    The first argument is the data: an :class:`anonlab.Table` or :class:`anonlab.Transactions`, or a frame where ``data``
    is ``"pandas"`` or ``"polars"``. ``seed`` is given to a function that has an argument of that name, and ``roles`` to one
    that wants to know what the columns are; every other argument is a parameter, by its name, with its default.

    What it gives back depends on ``release``: ``buckets``: a group for each row; ``generalized-table``: rows of cells
    (None suppresses one); ``generalized-transactions``: a dictionary from items to nodes of the hierarchy;
    ``suppressed-transactions``: the items to suppress; ``rules``: a list of :class:`anonlab.Rule`. Where it cannot keep the
    guarantee it raises :class:`anonlab.Refusal`.

    ``counters`` are the names it reports with :func:`anonlab.count`, for figures to draw; ``guarantee`` says what the
    release is held to where its kind leaves a choice.
    """
    if release not in WRITERS:
        raise ValueError(f"release is {release!r}; it may be {', '.join(WRITERS)}")
    if data not in FORMS:
        raise ValueError(f"data is {data!r}; it may be {', '.join(FORMS)}")
    if data != "table" and "transactions" in release:
        raise ValueError("transactions are given as lists: leave `data` out")
    return lambda function: Publisher(function, release, data, list(counters or []), guarantee)


def _parameters(function: Callable[..., Any]) -> dict[str, Any]:
    """The parameters of the function with their defaults; ``inspect.Parameter.empty`` where there is none."""
    arguments = list(inspect.signature(function).parameters.values())
    if not arguments:
        raise TypeError(f"{function.__name__} has no argument for the data")
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    for argument in arguments[1:]:
        if argument.kind not in named:
            raise TypeError(f"{function.__name__}: `{argument}` is no parameter with a name")
    return {one.name: one.default for one in arguments[1:] if one.name not in ("seed", "roles")}
