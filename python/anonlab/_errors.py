"""What goes wrong, with the program's own words."""

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Location:
    """Where in a file something is wrong; lines and columns count from 1."""

    file: Path
    line: int
    column: int
    message: str


class AnonlabError(Exception):
    """The program ended with an error; the text is the program's."""

    def __init__(self, text: str, exit_code: int) -> None:
        super().__init__(text)
        self.exit_code = exit_code


class BadInput(AnonlabError):
    """A spec, an option or a file is wrong: nothing was run. :attr:`locations` says where."""

    @property
    def locations(self) -> list[Location]:
        found = re.findall(r"^(?:error: )?(.+?):(\d+):(\d+): (.*)$", str(self), flags=re.MULTILINE)
        return [Location(Path(file), int(line), int(column), message) for file, line, column, message in found]


def error(text: str, exit_code: int) -> AnonlabError:
    kind = BadInput if exit_code == 2 else AnonlabError
    return kind(text.strip() or f"anonlab ended with status {exit_code}", exit_code)
