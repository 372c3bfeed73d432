"""A program that keeps to the protocol, once it has tried to get out in the way its argument says."""

import csv, ctypes, json, os, socket, sys

HOW, WHERE = sys.argv[1:3]
if "--version" in sys.argv:
    print("escaping 1")
    sys.exit()

request = json.load(sys.stdin)
if HOW == "read":
    open(os.path.join(WHERE, "secret")).read()
elif HOW == "read-named":
    import helper

    assert helper.ANSWER == 42
elif HOW == "read-unnamed":
    import helper
elif HOW == "list":
    os.listdir(os.path.dirname(WHERE.rstrip("/")))
elif HOW == "write":
    open(os.path.join(WHERE, "left-behind"), "w").write("x")
elif HOW == "write-tmp":
    open(f"/tmp/left-behind-{os.getpid()}", "w").close()
elif HOW == "remove":
    os.remove(os.path.join(WHERE, "victim"))
elif HOW == "connect":
    socket.create_connection(("127.0.0.1", int(open(sys.argv[3]).read())), timeout=5).close()
elif HOW == "listen":
    socket.create_server(("127.0.0.1", 0)).close()
elif HOW == "trace":
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(0x4206, os.getppid(), None, None) != 0:  # PTRACE_SEIZE, which stops nobody
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
elif HOW == "environment":
    open(f"/proc/{os.getppid()}/environ", "rb").read()
elif HOW == "memory-map":
    open(f"/proc/{os.getppid()}/maps", "rb").read()
elif HOW == "signal":
    os.kill(os.getppid(), 0)
elif HOW == "inside":
    # All that honest programs do: a temporary file, /dev/null, a child, a library with settings.
    import decimal, random, subprocess, tempfile

    with tempfile.NamedTemporaryFile("w") as file:
        file.write("x")
    subprocess.run(["sh", "-c", "echo hidden > /dev/null"], check=True)
    random.SystemRandom().random()
    assert "VmRSS" in open("/proc/self/status").read() and open("/proc/cpuinfo").read()

with open(request["input"]["table"], newline="") as file:
    header, *rows = csv.reader(file)
groups = [i // request["parameters"]["l"] + 1 for i in range(len(rows))]
with open(os.path.join(request["output"], "qit.csv"), "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header[:-1] + ["group_id"])
    writer.writerows(row[:-1] + [group] for row, group in zip(rows, groups))
counts = {}
for row, group in zip(rows, groups):
    counts[(group, row[-1])] = counts.get((group, row[-1]), 0) + 1
with open(os.path.join(request["output"], "st.csv"), "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["group_id", header[-1], "count"])
    writer.writerows([group, value, n] for (group, value), n in sorted(counts.items()))
