"""A publisher as a program, behind the protocol for external algorithms (version 1)."""

import hashlib
import importlib.util
import inspect
import json
import sys
from pathlib import Path
from typing import Any

from . import _protocol
from ._publisher import Publisher
from ._release import Table, read_input, write_release


def main(words: list[str]) -> int:
    if len(words) < 2:
        print("usage: _program.py FILE FUNCTION", file=sys.stderr)
        return 2
    path, name = Path(words[0]), words[1]
    if "--version" in words[2:]:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        print(f"{name} {digest}, Python {sys.version.split()[0]}")
        return 0
    request = json.load(sys.stdin)
    _protocol.begin_serving()
    publisher = load(path, name)
    data = read_input(request)
    try:
        given = publisher.function(_form(data, publisher), **arguments(publisher, data, request))
    except _protocol.Refusal as refusal:
        _protocol.say({"refuse": str(refusal)})
        return 0
    with _protocol.phase("writing"):
        write_release(given, data, request)
    return 0


def load(path: Path, name: str) -> "Publisher[..., Any]":
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location("anonlab_program", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules["anonlab_program"] = module
    spec.loader.exec_module(module)
    publisher = getattr(module, name, None)
    if not isinstance(publisher, Publisher):
        raise SystemExit(f"{path} has no publisher {name!r}")
    return publisher


def _form(data: Any, publisher: "Publisher[..., Any]") -> Any:
    if isinstance(data, Table) and publisher.data == "pandas":
        return data.to_pandas()
    if isinstance(data, Table) and publisher.data == "polars":
        return data.to_polars()
    return data


def arguments(publisher: "Publisher[..., Any]", data: Any, request: Any) -> dict[str, Any]:
    """What the function takes of the request's parameters; those it does not name are the guarantee's alone."""
    taken = {name: value for name, value in request["parameters"].items() if name in publisher.parameters}
    absent = [
        name for name, default in publisher.parameters.items() if default is inspect.Parameter.empty and name not in taken
    ]
    if absent:
        raise SystemExit(f"{publisher.name} needs `{absent[0]}`, and the request has {', '.join(request['parameters'])}")
    if publisher.takes_seed:
        taken["seed"] = request["seed"]
    if "roles" in inspect.signature(publisher.function).parameters and isinstance(data, Table):
        taken["roles"] = data.roles
    return taken
