"""What a publisher may tell the lab while it works."""

import contextlib
import json
import sys
import time
from collections.abc import Iterator

#: Whether this process is a publisher at work; elsewhere what it tells is dropped.
_serving = False


class Refusal(Exception):
    """There is no release, for a good reason: the guarantee cannot be kept, or the data is not what this is made for."""


def count(name: str, value: float) -> None:
    """Reports a counter: a fact of the computation. What the release is worth is for the lab to say."""
    say({"counter": name, "value": value})


@contextlib.contextmanager
def phase(name: str) -> Iterator[None]:
    """Reports how long a stretch of the work takes."""
    start = time.perf_counter()
    yield
    say({"phase": name, "seconds": time.perf_counter() - start})


def say(message: dict[str, object]) -> None:
    if _serving:
        print(json.dumps(message), file=sys.__stdout__, flush=True)


def begin_serving() -> None:
    """From here on standard output belongs to the protocol; what the function prints goes to standard error."""
    global _serving
    _serving = True
    sys.stdout = sys.stderr
