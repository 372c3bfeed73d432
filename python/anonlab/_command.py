"""Starts the program and listens to it."""

import contextlib
import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterable, Sequence
from typing import IO

from ._binary import find_binary
from ._errors import error
from ._progress import Progress

Words = Sequence["str | os.PathLike[str]"]


def call(words: Words, allowed: Iterable[int] = (0,)) -> tuple[int, str]:
    """Runs a command that is soon done; gives its status and standard output."""
    done = subprocess.run(
        [find_binary(), *(os.fspath(word) for word in words)], capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode not in allowed:
        raise error(done.stderr, done.returncode)
    return done.returncode, done.stdout


def call_with_progress(words: Words, progress: Progress, allowed: Iterable[int] = (0,)) -> tuple[int, str]:
    """Runs a command that takes ``--progress json`` and shows how far it is. An interrupt of the caller is passed on and
    waited for, so that finished cells are kept."""
    command = [find_binary(), *(os.fspath(word) for word in words), "--progress", "json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
    assert process.stdout is not None and process.stderr is not None
    output: list[str] = []
    reader = threading.Thread(target=lambda pipe: output.append(pipe.read()), args=(process.stdout,))
    reader.start()
    try:
        told = _listen(process.stderr, progress)
        process.wait()
    except BaseException:
        process.send_signal(signal.SIGINT)
        process.wait()
        raise
    finally:
        reader.join()
        process.stdout.close()
        process.stderr.close()
        progress.end()
    if process.returncode not in allowed:
        raise error(told, process.returncode)
    return process.returncode, "".join(output)


def _listen(pipe: IO[str], progress: Progress) -> str:
    """Everything the program says that is no progress."""
    told = []
    for line in pipe:
        event = None
        if line.startswith('{"progress":'):
            with contextlib.suppress(ValueError, KeyError):
                event = json.loads(line)["progress"]
        if event is None:
            told.append(line)
        else:
            progress.reached(event["done"], event["cells"], event["cached"], event["not_ok"])
    return "".join(told)
