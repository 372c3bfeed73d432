"""Anonymizes a table with a peer of PyPI and writes what it gives. Arguments: the table, the peer, where to, k.

anonypy gives one line a group and sensitive value with a count, which is written out again as so many rows.
"""

import sys
import warnings

import pandas

warnings.filterwarnings("ignore")
QUASI = ["age", "workclass", "education", "marital_status", "race", "sex"]
SENSITIVE = "occupation"


def anonypy_(frame, k):
    import anonypy

    for column in QUASI[1:] + [SENSITIVE]:
        frame[column] = frame[column].astype("category")
    preserver = anonypy.Preserver(frame, QUASI, SENSITIVE)
    rows = pandas.DataFrame(preserver.anonymize_k_anonymity(k=k))
    for column in QUASI:
        rows[column] = rows[column].map(lambda cell: ",".join(map(str, cell)) if isinstance(cell, (list, tuple)) else cell)
    return rows.loc[rows.index.repeat(rows["count"])]


def anjana_(frame, k):
    import numpy
    from anjana.anonymity import k_anonymity

    levels = {column: {0: frame[column].values, 1: numpy.array(["*"] * len(frame))} for column in QUASI}
    tens, fifties = frame["age"] // 10 * 10, frame["age"] // 50 * 50
    levels["age"] = {
        0: frame["age"].values,
        1: numpy.array([f"[{age}, {age + 10}[" for age in tens]),
        2: numpy.array([f"[{age}, {age + 50}[" for age in fifties]),
        3: numpy.array(["*"] * len(frame)),
    }
    return k_anonymity(frame, [], QUASI, k, 2, levels)


def main():
    table, peer, out, k = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    frame = pandas.read_csv(table)
    {"anonypy": anonypy_, "anjana": anjana_}[peer](frame, k).to_csv(out, index=False)


if __name__ == "__main__":
    main()
