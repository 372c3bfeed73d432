"""Where the program is."""

import functools
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path


@functools.cache
def find_binary() -> str:
    """The path of the ``anonlab`` program: ``$ANONLAB_BINARY``, else the one installed with this package, else the one on
    the search path."""
    named = os.environ.get("ANONLAB_BINARY")
    if named:
        if Path(named).is_file():
            return named
        raise FileNotFoundError(f"ANONLAB_BINARY is {named!r}, which is no file")
    name = "anonlab" + (sysconfig.get_config_var("EXE") or "")
    for directory in _script_directories():
        candidate = Path(directory) / name
        if candidate.is_file():
            return str(candidate)
    found = shutil.which("anonlab")
    if found:
        return found
    raise FileNotFoundError(
        "there is no anonlab program: `pip install anonlab` brings it, or set ANONLAB_BINARY to its path"
    )


def _script_directories() -> list[str]:
    directories = [sysconfig.get_path("scripts")]
    # `pip install --user`
    scheme = sysconfig.get_preferred_scheme("user")
    directories.append(sysconfig.get_path("scripts", scheme=scheme))
    # `pip install --target DIR` puts programs into DIR/bin, beside the package
    directories.append(str(Path(__file__).resolve().parent.parent / "bin"))
    # a virtual environment whose interpreter was started by another path
    directories.append(str(Path(sys.executable).parent))
    return directories


def version() -> str:
    """The version of the program."""
    output = subprocess.run([find_binary(), "--version"], capture_output=True, text=True, check=True).stdout
    return output.split()[-1]
