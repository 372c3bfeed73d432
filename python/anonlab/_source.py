"""The source of a function as a file of its own, for functions of notebooks and scripts."""

import builtins
import hashlib
import inspect
import sys
import textwrap
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Constants that a function may use: what their text means is what they are.
_PLAIN = (int, float, complex, str, bytes, bool, type(None))


def program_file(function: Callable[..., Any], name: str, folder: Path, decorator: str) -> Path:
    """The module's own file, where the function is in a module; else a file in ``folder`` with the function and what it
    uses: functions and classes of the same notebook or script, modules by import, plain constants."""
    module = sys.modules.get(function.__module__)
    path = getattr(module, "__file__", None)
    if function.__module__ != "__main__" and path and "<locals>" not in function.__qualname__:
        return Path(path).resolve()
    text = program_text(function, name, decorator)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    written = folder / f"{name}-{digest}.py"
    written.write_text(text, encoding="utf-8")
    return written


def helper_files(function: Callable[..., Any]) -> list[str]:
    """The modules that lie beside a function's own and are loaded: a program may read only files that are named, and what
    they say belongs into the key."""
    own = getattr(sys.modules.get(function.__module__), "__file__", None)
    if function.__module__ == "__main__" or not own:
        return []
    folder, found = Path(own).resolve().parent, set()
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if file and Path(file).suffix == ".py" and folder in Path(file).resolve().parents:
            found.add(str(Path(file).resolve()))
    return sorted(found - {str(Path(own).resolve())})


def program_text(function: Callable[..., Any], name: str, decorator: str) -> str:
    parts = _Parts(function.__globals__, name)
    body = _source_of(function)
    parts.need(function, body)
    imports = "\n".join(["import anonlab", *sorted(parts.imports - {"import anonlab"})])
    blocks = [imports, *parts.constants, *parts.definitions, f"{decorator}\n{body}"]
    return "\n\n\n".join(block.rstrip() for block in blocks if block) + "\n"


class _Parts:
    """What a function needs around it, found by the global names it uses."""

    def __init__(self, names: dict[str, Any], own: str) -> None:
        self.names = names
        self.seen = {own}
        self.imports: set[str] = set()
        self.constants: list[str] = []
        self.definitions: list[str] = []

    def need(self, function: Any, text: str) -> None:
        for name in sorted(_global_names(compile(text, "<source>", "exec"))):
            if name in self.seen or name not in self.names:
                # Names that are nowhere are builtins, attributes, or faults that show when the function runs.
                continue
            self.seen.add(name)
            self._need(name, self.names[name], function)

    def _need(self, name: str, value: Any, user: Any) -> None:
        if isinstance(value, types.ModuleType):
            self.imports.add(f"import {value.__name__}" + (f" as {name}" if value.__name__ != name else ""))
            return
        value = getattr(value, "function", value) if hasattr(value, "takes_seed") else value
        module = getattr(value, "__module__", None)
        if isinstance(value, (types.FunctionType, type)) and module == "__main__":
            text = _source_of(value)
            self.need(value, text)
            self.definitions.append(text)
        elif callable(value) and hasattr(value, "__name__") and module not in (None, "__main__"):
            renamed = f" as {name}" if value.__name__ != name else ""
            self.imports.add(f"from {module} import {value.__name__}{renamed}")
        elif _is_plain(value):
            self.constants.append(f"{name} = {value!r}")
        else:
            kind = type(value).__name__
            raise TypeError(
                f"{user.__name__} uses `{name}`, a {kind}, which cannot be written into a program: "
                "make it inside the function, or put the function into a module"
            )


def _source_of(value: Any) -> str:
    """Without decorators that make publishers: the file has its own."""
    try:
        lines, _ = inspect.getsourcelines(value)
    except (OSError, TypeError) as fault:
        raise TypeError(f"the source of {value.__name__} cannot be found; put it into a file or a notebook") from fault
    text = textwrap.dedent("".join(lines))
    if isinstance(value, type):
        return text
    start = next(place for place, line in enumerate(text.splitlines()) if line.startswith(("def ", "async def ")))
    return "\n".join(text.splitlines()[start:]) + "\n"


def _global_names(code: types.CodeType) -> set[str]:
    found = {name for name in code.co_names if not hasattr(builtins, name)}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _global_names(constant)
    return found


def _is_plain(value: Any) -> bool:
    if isinstance(value, _PLAIN):
        return True
    if isinstance(value, (tuple, list, set, frozenset)):
        return all(_is_plain(one) for one in value)
    if isinstance(value, dict):
        return all(_is_plain(key) and _is_plain(one) for key, one in value.items())
    return False
