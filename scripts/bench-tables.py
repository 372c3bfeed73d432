"""Times peers of PyPI on the table that scripts/bench-tables.sh wrote, and prints how many times faster ours are.

Arguments: our times (`name seconds` a line), the table, the peers to run. Processor time, since some peers use several threads;
each peer runs once.
"""

import sys
import time
import warnings

import pandas

warnings.filterwarnings("ignore")
QUASI = ["age", "workclass", "education", "marital_status", "race", "sex"]
SENSITIVE = "occupation"


def timed(name, ours, work):
    start = time.process_time()
    work()
    seconds = time.process_time() - start
    print(f"{name:34} {seconds:9.3f} s   ours {ours:9.6f} s   {seconds / ours:8.0f} times")


def anonypy_(frame, ours):
    import anonypy

    categories = frame.copy()
    for column in QUASI[1:] + [SENSITIVE]:
        categories[column] = categories[column].astype("category")
    preserver = anonypy.Preserver(categories, QUASI, SENSITIVE)
    timed("anonypy Mondrian, k = 10", ours["mondrian"], lambda: preserver.anonymize_k_anonymity(k=10))


def pycanon_(frame, ours):
    from pycanon import anonymity

    # As a generalized table: ages in tens.
    frame = frame.copy()
    frame["age"] = (frame["age"] // 10 * 10).astype(str)
    for name in ["k_anonymity"]:
        timed(f"pycanon {name}", ours["reached-privacy"], lambda: getattr(anonymity, name)(frame, QUASI))
    for name in ["l_diversity", "entropy_l_diversity", "t_closeness", "basic_beta_likeness", "delta_disclosure"]:
        work = lambda: getattr(anonymity, name)(frame, QUASI, [SENSITIVE])
        # Ours tells all of them at once.
        timed(f"pycanon {name}", ours["reached-privacy"], work)


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
        "anjana k-anonymity, k = 10",
        ours["full-domain"],
        lambda: k_anonymity(frame.copy(), [], QUASI, 10, 2, levels),
    )
    timed(
        "anjana t-closeness, k = 10, t = 0.5",
        ours["full-domain-t"],
        lambda: t_closeness(frame.copy(), [], QUASI, SENSITIVE, 10, 0.5, 2, levels),
    )


def main():
    with open(sys.argv[1]) as file:
        ours = {name: float(seconds) for name, seconds in (line.split() for line in file)}
    frame = pandas.read_csv(sys.argv[2])
    for peer in sys.argv[3:]:
        {"anonypy": anonypy_, "pycanon": pycanon_, "anjana": anjana_}[peer](frame, ours)


if __name__ == "__main__":
    main()
