"""Neighbours in pairs: a publisher that tests alter by editing the two constants below."""

import csv, json, os, sys, time

# Rows from the end whose pairs are crossed: each row shares a group with the next but one.
CROSSED = 0
# Processor seconds to spend in all.
BUSY = 0.0

if "--version" in sys.argv:
    print("pairs 1")
    sys.exit()

request = json.load(sys.stdin)
with open(request["input"]["table"], newline="") as file:
    header, *rows = csv.reader(file)
groups = [i // 2 for i in range(len(rows))]
for i in range(len(rows) - CROSSED, len(rows), 4):
    groups[i : i + 4] = [groups[i], groups[i + 2], groups[i + 2], groups[i]]

out = request["output"]
with open(os.path.join(out, "qit.csv"), "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header[:-1] + ["group_id"])
    writer.writerows(row[:-1] + [group] for row, group in zip(rows, groups))
counts = {}
for row, group in zip(rows, groups):
    counts[group, row[-1]] = counts.get((group, row[-1]), 0) + 1
with open(os.path.join(out, "st.csv"), "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["group_id", header[-1], "count"])
    writer.writerows([group, value, n] for (group, value), n in sorted(counts.items()))
print(json.dumps({"counter": "groups", "value": len(set(groups))}), flush=True)

while time.process_time() < BUSY:
    pass
