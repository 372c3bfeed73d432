"""Asks DuckDB, on one thread, the queries that scripts/bench-large.sh left, holds it to their true counts, and prints ratios.

Arguments: the folder with `table.csv`, `queries.jsonl` and `ours`; how many of the queries to ask. Processor time.
"""

import json
import sys
import time
from pathlib import Path

import duckdb

folder, most = Path(sys.argv[1]), int(sys.argv[2])
queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
ours = {}
for line in (folder / "ours").read_text().splitlines():
    name, numbers = line[:24].strip(), line[24:].split()
    if len(numbers) > 1 and numbers[1] == "s":
        ours[name] = float(numbers[0])

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

print(f"DuckDB {duckdb.__version__}: loading {loading:.2f} s, ours {ours['load']:.2f} s: {loading / ours['load']:.1f} times")
print(f"DuckDB {duckdb.__version__}: {len(queries)} true counts {seconds:.1f} s (from {len(asked)} of them), "
      f"{len(asked) - wrong} of {len(asked)} counts agree")
print(f"ours: true counts and answers together {ours['query-error']:.2f} s: {seconds / ours['query-error']:.1f} times")
sys.exit(wrong != 0)
