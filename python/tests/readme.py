"""Types in what a section of the README says, in an empty directory: ``python readme.py README.md HEADING``.

Every command must work as it is printed. Installing is left out: it has happened.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

#: A guarantee that does not hold is an answer, not a mistake.
ANSWERS = (0, 1)


def main(readme: str, heading: str) -> None:
    text = Path(readme).read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    blocks = re.findall(r"```(\w+)\n(.*?)```", section, flags=re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        for language, block in blocks:
            if language == "console":
                for command in commands(block):
                    run(["bash", "-c", command], folder, ANSWERS)
            else:
                program = Path(folder) / "typed_in.py"
                program.write_text(block, encoding="utf-8")
                run([sys.executable, str(program)], folder, (0,))
    print(f"{heading}: {len(blocks)} blocks work as printed")


def commands(block: str) -> list[str]:
    """What stands behind ``$``, with the lines that go on from it."""
    joined = block.replace("\\\n", " ")
    typed = [line[2:] for line in joined.splitlines() if line.startswith("$ ")]
    return [line for line in typed if not line.startswith("pip install")]


def run(command: list[str], folder: str, answers: tuple[int, ...]) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode not in answers or "Traceback" in done.stderr:
        sys.exit(f"{command[-1]}\nexit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
