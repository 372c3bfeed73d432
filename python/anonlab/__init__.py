"""The laboratory in which data anonymization is put to the test, from Python.

The work is done by the ``anonlab`` program that comes with this package; this module starts it and reads what it leaves:

>>> import anonlab
>>> results = anonlab.run("experiments/anatomy.yaml", quick=True)   # doctest: +SKIP
>>> results.standings                                               # doctest: +SKIP
"""

from ._audit import Audit, audit
from ._binary import find_binary, version
from ._check import Check, check
from ._compare import Comparison, compare
from ._errors import AnonlabError, BadInput, Location
from ._protocol import Refusal, count, phase
from ._publisher import Publisher, publisher
from ._release import Roles, Rule, Table, Transactions
from ._results import Experiment, Results
from ._run import reproduce, results, run

__all__ = [
    "AnonlabError",
    "Audit",
    "BadInput",
    "Check",
    "Comparison",
    "Experiment",
    "Location",
    "Publisher",
    "Refusal",
    "Results",
    "Roles",
    "Rule",
    "Table",
    "Transactions",
    "audit",
    "check",
    "compare",
    "count",
    "find_binary",
    "phase",
    "publisher",
    "reproduce",
    "results",
    "run",
    "version",
]
