"""Asks DuckDB, on one thread, the queries that scripts/bench-large.sh left, holds it to their true counts, and prints ratios.

Arguments: the folder with `table.csv`, `queries.jsonl` and `ours`; its rows; how many of the queries to ask; `--into DOCUMENT` replaces
the marked block of a document by the result. Processor time.
"""

import json
import re
import sys
import time
from pathlib import Path

import duckdb

BEGIN, END = "<!-- begin: written by scripts/bench-large.sh -->", "<!-- end -->"

folder, rows, most = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
into = Path(sys.argv[5]) if sys.argv[4:5] == ["--into"] else None
queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
ours = {}
for line in (folder / "ours").read_text().splitlines():
    name, numbers = line[:24].strip(), line[24:].split()
    if len(numbers) > 2 and numbers[1] == "s":
        ours[name] = (float(numbers[0]), numbers[2])
    elif (refused := line.partition(":")[0]) in ours:
        sys.exit(f"{line} (it has no time)" if refused else line)

connection = duckdb.connect()
connection.execute("SET threads = 1")
start = time.process_time()
connection.execute(f"CREATE TABLE t AS SELECT * FROM read_csv('{folder / 'table.csv'}', all_varchar = true)")
# As narrow as they can be, so that DuckDB compares codes, too.
for column in [row[0] for row in connection.execute("DESCRIBE t").fetchall()]:
    connection.execute(f"CREATE TYPE of_{column} AS ENUM (SELECT DISTINCT {column} FROM t)")
    connection.execute(f"ALTER TABLE t ALTER {column} TYPE of_{column}")
loading = time.process_time() - start

asked = queries[:most]
start = time.process_time()
wrong = 0
for query in asked:
    conditions = []
    for column, values in query["admitted"].items():
        listed = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
        conditions.append(f"{column} IN ({listed})")
    (count,) = connection.execute("SELECT count(*) FROM t WHERE " + " AND ".join(conditions)).fetchone()
    wrong += count != query["count"]
seconds = (time.process_time() - start) / len(asked) * len(queries)

lines = [f"Last result: {rows:,} rows, processor time of one core.", "", "| part | seconds | bytes of heap a row |", "|---|--:|--:|"]
lines += [f"| {name} | {taken:.2f} | {heap} |" for name, (taken, heap) in ours.items()]
load, both = ours["load"][0], ours["query-error"][0]
lines += [
    "",
    f"DuckDB {duckdb.__version__} takes {loading:.1f} s to load the same file ({loading / load:.1f} times ours) and {seconds:.0f} s for the true "
    f"counts of the {len(queries):,} queries (from {len(asked)} of them; {len(asked) - wrong} of {len(asked)} counts agree): "
    f"{seconds / both:.0f} times what true counts and answers take here together.",
]
text = "\n".join(lines)
print(text)
if into:
    document = into.read_text()
    block = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    if not block.search(document):
        sys.exit(f"{into} has no block between {BEGIN} and {END}")
    into.write_text(block.sub(lambda _: f"{BEGIN}\n\n{text}\n\n{END}", document))
sys.exit(wrong != 0)
