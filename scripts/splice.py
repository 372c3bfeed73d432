"""Puts what a script found into the block of a document that it owns."""

import re
import sys

END = "<!-- end -->"


def splice(document, script, text):
    """Replaces what stands between `<!-- begin: written by SCRIPT -->` and `<!-- end -->` in the file `document`."""
    begin = f"<!-- begin: written by {script} -->"
    block = re.compile(re.escape(begin) + ".*?" + re.escape(END), re.DOTALL)
    before = document.read_text()
    if not block.search(before):
        sys.exit(f"{document} has no block between {begin} and {END}")
    document.write_text(block.sub(lambda _: f"{begin}\n\n{text}\n\n{END}", before))
