"""What scikit-learn's CategoricalNB makes of a table of made-up people, as CSV: a test of `classification` reads it.

Arguments: `write` or `check` (whether the file still says the same), and the file. The last third of the people is held out. Priors are
smoothed by one as well, which CategoricalNB does not do by itself.
"""

import io
import random
import sys
from collections import Counter
from pathlib import Path

import numpy
from sklearn.naive_bayes import CategoricalNB
from sklearn.preprocessing import OrdinalEncoder

QUASI = ["age", "town", "job"]
PEOPLE = 240


def people():
    rng = random.Random(18)
    for _ in range(PEOPLE):
        age, town, job = rng.randrange(20, 26), rng.choice("ABCD"), rng.choice(["baker", "clerk", "nurse"])
        likely = {"baker": "flu", "clerk": "cold", "nurse": "gout"}[job] if age < 24 else "rash" if town == "A" else "cold"
        yield age, town, job, likely if rng.random() < 0.6 else rng.choice(["cold", "flu", "gout", "rash"])


def told():
    rows = list(people())
    quasi = numpy.array([[str(cell) for cell in row[:3]] for row in rows])
    codes = OrdinalEncoder().fit_transform(quasi).astype(int)
    values = sorted({row[3] for row in rows})
    sensitive = numpy.array([values.index(row[3]) for row in rows])
    taught = PEOPLE * 2 // 3
    counts = Counter(sensitive[:taught])
    priors = [(counts[value] + 1) / (taught + len(values)) for value in range(len(values))]
    learner = CategoricalNB(alpha=1.0, min_categories=codes.max(axis=0) + 1, class_prior=priors, fit_prior=True)
    learner.fit(codes[:taught], sensitive[:taught])
    scores = learner.predict_joint_log_proba(codes)
    text = io.StringIO()
    print(",".join(QUASI + ["illness", "held_out", "told", "log_probability"]), file=text)
    for i, row in enumerate(rows):
        best = int(numpy.argmax(scores[i]))
        cells = [*row, int(i >= taught), values[best], f"{scores[i][best]:.10f}"]
        print(",".join(map(str, cells)), file=text)
    return text.getvalue()


def main():
    what, path = sys.argv[1], Path(sys.argv[2])
    if what == "write":
        path.write_text(told())
    elif path.read_text() != told():
        sys.exit(f"{path} is not what scikit-learn says")


main()
