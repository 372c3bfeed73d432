"""A finished release beside its original."""

import html
import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ._command import call
from ._frames import write_csv


class Audit:
    """What the release reaches, what adversaries learn from it and what analysts can still do with it."""

    def __init__(self, text: str, data: Any, holds: bool) -> None:
        self.text = text
        #: As ``anonlab audit --format json`` gives it.
        self.data = data
        #: Whether every guarantee that was asked for holds.
        self.holds = holds

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"


def audit(
    original: Any,
    release: Any,
    *,
    quasi_identifiers: Iterable[str] = (),
    sensitive: "str | Iterable[str]" = (),
    kind: str | None = None,
    guarantees: Sequence[str] = (),
    options: Sequence[str] = (),
) -> Audit:
    """Audits a release. Both may be frames or paths; ``original`` is None where there is none. ``guarantees`` are written
    as on the command line: ``"k-anonymity:k=5"``; ``options`` are further words of ``anonlab audit``."""
    with tempfile.TemporaryDirectory(prefix="anonlab-") as folder:
        words = ["audit", "--release", _path(release, Path(folder) / "release.csv")]
        if original is not None:
            words += ["--original", _path(original, Path(folder) / "original.csv")]
        attributes = [sensitive] if isinstance(sensitive, str) else list(sensitive)
        known = list(quasi_identifiers)
        words += ["--quasi-identifiers", ",".join(known)] if known else []
        words += ["--sensitive", ",".join(attributes)] if attributes else []
        words += ["--kind", kind] if kind is not None else []
        for guarantee in guarantees:
            words += ["--guarantee", guarantee]
        words += options
        status, data = call([*words, "--format", "json"], (0, 1))
        _, text = call(words, (0, 1))
        return Audit(text, json.loads(data), status == 0)


def _path(given: Any, path: Path) -> str:
    if isinstance(given, (str, os.PathLike)):
        return os.fspath(given)
    write_csv(given, path)
    return str(path)
