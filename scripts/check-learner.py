"""What scikit-learn's MultinomialNB makes of a table of made-up people and of a generalized one, as CSV: a test of `classification` reads it.

Arguments: `write` or `check` (whether the file still says the same), and the file. The last third of the people is held out. A record is a
vector with the share that each value has of its cells. Priors are smoothed by one, which MultinomialNB does not do by itself.
"""

import io
import random
import sys
from collections import Counter
from pathlib import Path

import numpy
from sklearn.naive_bayes import MultinomialNB

QUASI = ["age", "town", "job"]
PEOPLE = 240


def people():
    rng = random.Random(18)
    for _ in range(PEOPLE):
        age, town, job = rng.randrange(20, 26), rng.choice("ABCD"), rng.choice(["baker", "clerk", "nurse"])
        likely = {"baker": "flu", "clerk": "cold", "nurse": "gout"}[job] if age < 24 else "rash" if town == "A" else "cold"
        yield age, town, job, likely if rng.random() < 0.6 else rng.choice(["cold", "flu", "gout", "rash"])


def released(i, row):
    """The values that each cell covers: some cells as they are, some in pairs, some `*` (None)."""
    age, town, job = row[:3]
    pair = age // 2 * 2
    yield [str(age)] if i % 3 == 0 else [str(pair), str(pair + 1)]
    yield [town] if i % 4 else None
    yield [job] if i % 5 else ["baker", "nurse"] if job != "clerk" else ["clerk"]


def text(cell):
    return "*" if cell is None else cell[0] if len(cell) == 1 else "{" + ";".join(cell) + "}"


def vectors(cells, domains):
    """One number for each value of each attribute: its share of the cell."""
    matrix = numpy.zeros((len(cells), sum(map(len, domains))))
    for row, of_row in enumerate(cells):
        first = 0
        for cell, domain in zip(of_row, domains):
            covered = domain if cell is None else cell
            for value in covered:
                matrix[row, first + domain.index(value)] = 1 / len(covered)
            first += len(domain)
    return matrix


def told():
    rows = list(people())
    exact = [[[str(cell)] for cell in row[:3]] for row in rows]
    release = [list(released(i, row)) for i, row in enumerate(rows)]
    domains = [sorted({row[i][0] for row in exact}) for i in range(3)]
    values = sorted({row[3] for row in rows})
    sensitive = numpy.array([values.index(row[3]) for row in rows])
    taught = PEOPLE * 2 // 3
    counts = Counter(sensitive[:taught])
    priors = [(counts[value] + 1) / (taught + len(values)) for value in range(len(values))]
    originals = vectors(exact, domains)
    scores = []
    for taught_with in (originals, vectors(release, domains)):
        learner = MultinomialNB(alpha=1.0, class_prior=priors)
        learner.fit(taught_with[:taught], sensitive[:taught])
        scores.append(learner.predict_joint_log_proba(originals))
    out = io.StringIO()
    names = ["held_out", "told_by_original", "log_probability", "told_by_release", "log_probability"]
    print(",".join(QUASI + ["illness"] + [f"released_{name}" for name in QUASI] + names), file=out)
    for i, row in enumerate(rows):
        cells = [*row, *map(text, release[i]), int(i >= taught)]
        for of_learner in scores:
            best = int(numpy.argmax(of_learner[i]))
            cells += [values[best], f"{of_learner[i][best]:.10f}"]
        print(",".join(map(str, cells)), file=out)
    return out.getvalue()


def main():
    what, path = sys.argv[1], Path(sys.argv[2])
    if what == "write":
        path.write_text(told())
    elif path.read_text() != told():
        sys.exit(f"{path} is not what scikit-learn says")


main()
