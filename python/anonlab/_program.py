"""What the process of a publisher starts with: ``python _program.py FILE FUNCTION``. Its path is a word of the command, so
that its bytes are in the key of every cell."""

import sys
from pathlib import Path

# A program's own directory comes first on the search path: here, the one that holds the package.
sys.path[0] = str(Path(__file__).resolve().parent.parent)

from anonlab.serve import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
