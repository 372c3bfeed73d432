"""A program that keeps to the protocol, or breaks it in the way its argument says."""

import csv, json, os, signal, sys, time

HOW = sys.argv[1]
if "--version" in sys.argv:
    print("misbehaving 1")
    sys.exit()

request = json.load(sys.stdin)
with open(request["input"]["table"], newline="") as file:
    header, *rows = csv.reader(file)
size = request["parameters"]["l"]
groups = [i // size + 1 for i in range(len(rows))]


def write(rows, groups, values=None, order=sorted):
    out = request["output"]
    with open(os.path.join(out, "qit.csv"), "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header[:-1] + ["group_id"])
        writer.writerows(row[:-1] + [group] for row, group in zip(rows, groups))
    counts = {}
    for row, group in zip(rows, groups):
        key = (group, row[-1] if values is None else values(row[-1]))
        counts[key] = counts.get(key, 0) + 1
    with open(os.path.join(out, "st.csv"), "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["group_id", header[-1], "count"])
        writer.writerows([group, value, n] for (group, value), n in order(counts.items()))


def say(**message):
    print(json.dumps(message), flush=True)


if HOW == "good":
    write(rows, groups)
    say(phase="grouping", seconds=0.25)
    say(counter="groups", value=max(groups))
elif HOW == "row-order":
    write(rows, groups, order=list)
elif HOW == "hang":
    time.sleep(600)
elif HOW == "late":
    for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    time.sleep(request["limits"]["seconds"] + 1)
    write(rows, groups)
elif HOW == "crash":
    raise RuntimeError("lost my way")
elif HOW == "signal":
    os.kill(os.getpid(), signal.SIGSEGV)
elif HOW == "flood-output":
    while True:
        print("x" * 4000)
elif HOW == "flood-errors":
    while True:
        print("x" * 4000, file=sys.stderr)
elif HOW == "flood-file":
    with open(os.path.join(request["output"], "qit.csv"), "wb") as file:
        while True:
            file.write(b"x" * 1_000_000)
elif HOW == "flood-files":
    for i in range(5_000):
        open(os.path.join(request["output"], f"{i}.csv"), "w").close()
    time.sleep(600)
elif HOW == "chatter":
    print("reading the table ...")
    write(rows, groups)
elif HOW == "own-quality":
    write(rows, groups)
    say(counter="mean_relative_error", value=0)
elif HOW == "refuse":
    say(refuse="not today")
elif HOW == "nothing":
    pass
elif HOW == "garbage":
    for name in ("qit.csv", "st.csv"):
        with open(os.path.join(request["output"], name), "wb") as file:
            file.write(bytes(range(256)) * 100)
elif HOW == "link":
    write(rows, groups)
    os.rename(os.path.join(request["output"], "qit.csv"), "elsewhere.csv")
    os.symlink(os.path.abspath("elsewhere.csv"), os.path.join(request["output"], "qit.csv"))
elif HOW == "pipe":
    write(rows, groups)
    os.remove(os.path.join(request["output"], "qit.csv"))
    os.mkfifo(os.path.join(request["output"], "qit.csv"))
elif HOW == "drop":
    write(rows[:-1], groups[:-1])
elif HOW == "invent":
    write(rows + [rows[0]], groups + [1])
elif HOW == "alter":
    write([["1"] + row[1:] for row in rows], groups)
elif HOW == "overlap":
    # The last row is in the first group, too.
    write(rows + [rows[-1]], groups + [1])
elif HOW == "other-values":
    write(rows, groups, values=lambda value: {"flu": "gout", "gout": "flu"}.get(value, value))
elif HOW == "not-diverse":
    write(rows, list(range(1, len(rows) + 1)))
elif HOW == "memory":
    held = bytearray(1_000_000_000)
    time.sleep(600)
elif HOW == "memory-of-children":
    # Each alone is within the limit.
    for _ in range(4):
        if os.fork() == 0:
            held = bytearray(60_000_000)
            time.sleep(600)
    time.sleep(600)
elif HOW == "processes":
    for _ in range(1_000):
        if os.fork() == 0:
            time.sleep(600)
    time.sleep(600)
elif HOW in ("orphan", "hanging-orphan"):
    # A daemon: its own session, and its parent gone.
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
    os.wait()
    if HOW == "hanging-orphan":
        open(os.environ["HOME"] + "/hangs", "w").close()
        time.sleep(600)
    write(rows, groups)
elif HOW == "once":
    # Hangs when it is started for the first time, and tells who it is.
    if not os.path.exists(os.environ["HOME"] + "/hangs"):
        with open(os.environ["HOME"] + "/hangs.part", "w") as file:
            file.write(f"{os.getpid()} {os.getppid()}")
        os.rename(os.environ["HOME"] + "/hangs.part", os.environ["HOME"] + "/hangs")
        time.sleep(600)
    write(rows, groups)
elif HOW == "tell-ids":
    import tempfile, threading

    place = tempfile.mkdtemp()
    raise RuntimeError(f"{place} {request['output']} pid {os.getpid()} thread {threading.get_native_id()} {object()}")
elif HOW == "deep":
    # No path leads to the innermost of them.
    for _ in range(5_000):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    time.sleep(600)
elif HOW == "nameless":
    # Each is within the limit of a file, and none has a name.
    held = []
    for i in range(20):
        file = open(f"{i}", "wb")
        os.remove(f"{i}")
        file.write(b"x" * 5_000_000)
        file.flush()
        held.append(file)
    time.sleep(600)
elif HOW == "spend":
    # Half of the work is done by children that nobody waits for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    child = os.fork()
    held = bytearray(40_000_000)
    start = time.process_time()
    while time.process_time() - start < 0.3:
        pass
    if child == 0:
        os._exit(0)
    time.sleep(0.3)
    write(rows, groups)
elif HOW == "look-around":
    write(rows, groups)
    seen = {
        "secret": "ANONLAB_TEST_SECRET" in os.environ,
        "group": os.getpgrp() == os.getpid(),
        "directory": os.listdir("."),
        "keys": sorted(request),
    }
    assert seen == {
        "secret": False,
        "group": True,
        "directory": [],
        "keys": ["input", "limits", "output", "parameters", "protocol", "release", "seed"],
    }, seen
else:
    sys.exit(f"there is no way `{HOW}` to misbehave")
