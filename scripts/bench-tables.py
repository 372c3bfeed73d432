"""Times a peer of PyPI on the table that scripts/bench-tables.sh wrote, and prints `name|seconds|our seconds` lines.

Arguments: our times (`name seconds` a line), the table, the peer. Processor time, since some peers use several threads; the
best of as many runs as a second takes.
"""

import sys
import time
import warnings
from importlib.metadata import version

import pandas

warnings.filterwarnings("ignore")
QUASI = ["age", "workclass", "education", "marital_status", "race", "sex"]
SENSITIVE = "occupation"


def of(peer):
    return f"`{peer}` {version(peer)}"


def timed(name, ours, work):
    seconds = []
    while not seconds or (sum(seconds) < 1 and len(seconds) < 20):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    print(f"{name}|{min(seconds)}|{ours}")


def anonypy_(frame, ours):
    import anonypy

    categories = frame.copy()
    for column in QUASI[1:] + [SENSITIVE]:
        categories[column] = categories[column].astype("category")
    preserver = anonypy.Preserver(categories, QUASI, SENSITIVE)
    timed(f"{of('anonypy')}, Mondrian, k = 10", ours["mondrian"], lambda: preserver.anonymize_k_anonymity(k=10))


def pycanon_(frame, ours):
    from pycanon import anonymity

    # As a generalized table: ages in tens.
    frame = frame.copy()
    frame["age"] = (frame["age"] // 10 * 10).astype(str)
    values = {
        "k-anonymity": ("k", lambda: anonymity.k_anonymity(frame, QUASI)),
        "distinct ℓ-diversity": ("distinct-l", lambda: anonymity.l_diversity(frame, QUASI, [SENSITIVE])),
        "entropy ℓ-diversity": ("entropy-l", lambda: anonymity.entropy_l_diversity(frame, QUASI, [SENSITIVE])),
        "(α,k)-anonymity": ("alpha", lambda: anonymity.alpha_k_anonymity(frame, QUASI, [SENSITIVE])),
        "t-closeness": ("t", lambda: anonymity.t_closeness(frame, QUASI, [SENSITIVE])),
        "basic β-likeness": ("beta", lambda: anonymity.basic_beta_likeness(frame, QUASI, [SENSITIVE])),
        "enhanced β-likeness": ("enhanced-beta", lambda: anonymity.enhanced_beta_likeness(frame, QUASI, [SENSITIVE])),
        "δ-disclosure": ("delta", lambda: anonymity.delta_disclosure(frame, QUASI, [SENSITIVE])),
    }
    for name, (alone, value) in values.items():
        timed(f"{of('pycanon')}, {name}", ours[f"alone-{alone}"], value)


def anjana_(frame, ours):
    import numpy
    from anjana.anonymity import k_anonymity, t_closeness

    levels = {column: {0: frame[column].values, 1: numpy.array(["*"] * len(frame))} for column in QUASI}
    tens = frame["age"] // 10 * 10
    fifties = frame["age"] // 50 * 50
    levels["age"] = {
        0: frame["age"].values,
        1: numpy.array([f"[{age}, {age + 10}[" for age in tens]),
        2: numpy.array([f"[{age}, {age + 50}[" for age in fifties]),
        3: numpy.array(["*"] * len(frame)),
    }
    timed(
        f"{of('anjana')}, k-anonymity, k = 10 (ours: the proven optimum over the lattice)",
        ours["full-domain"],
        lambda: k_anonymity(frame.copy(), [], QUASI, 10, 2, levels),
    )
    timed(
        f"{of('anjana')}, t-closeness, k = 10, t = 0.5",
        ours["full-domain-t"],
        lambda: t_closeness(frame.copy(), [], QUASI, SENSITIVE, 10, 0.5, 2, levels),
    )


def main():
    with open(sys.argv[1]) as file:
        ours = {name: float(seconds) for name, seconds in (line.split() for line in file)}
    frame = pandas.read_csv(sys.argv[2])
    {"anonypy": anonypy_, "pycanon": pycanon_, "anjana": anjana_}[sys.argv[3]](frame, ours)


if __name__ == "__main__":
    main()
