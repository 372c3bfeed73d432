#!/usr/bin/env bash
# Checks that what scikit-learn (PyPI) says of made-up people is what the test of `classification` expects; --write writes
# it anew.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(scripts/install-peer.sh scikit-learn)
what=check
if [ "${1:-}" = --write ]; then what=write; fi
exec "$python" scripts/check-learner.py "$what" crates/core/src/utility/tables/multinomial_nb.csv
