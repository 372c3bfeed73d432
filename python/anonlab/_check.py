"""The conformance suite on an own function."""

import json
import tempfile
from pathlib import Path
from typing import Any

from ._command import call
from ._compare import command
from ._publisher import Publisher
from ._source import helper_files


class Check:
    """The verdict on every case."""

    def __init__(self, text: str, data: Any, passes: bool) -> None:
        self.text = text
        self.data = data
        self.passes = passes

    def __bool__(self) -> bool:
        return self.passes

    def __repr__(self) -> str:
        return self.text


def check(publisher: "Publisher[..., Any]", **parameters: Any) -> Check:
    """Runs a function on small and nasty inputs, with a verdict for each; ``parameters`` are the function's own."""
    if not isinstance(publisher, Publisher):
        raise TypeError(f"{publisher!r} is no publisher: decorate the function with @anonlab.publisher(release=...)")
    with tempfile.TemporaryDirectory(prefix="anonlab-") as folder:
        words = ["algorithms", "check", "--release", publisher.release]
        if publisher.guarantee is not None:
            words += ["--guarantee", publisher.guarantee]
        for name, value in parameters.items():
            words += ["-p", f"{name}={json.dumps(value)}"]
        for file in helper_files(publisher.function):
            words += ["--file", file]
        program = ["--command", *command(publisher, Path(folder))]
        status, data = call([*words, "--format", "json", *program], (0, 1))
        _, text = call([*words, *program], (0, 1))
        return Check(text, json.loads(data), status == 0)
