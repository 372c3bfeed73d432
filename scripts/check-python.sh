#!/usr/bin/env bash
# The Python side: types and lints, the wheel built, installed into an empty environment outside the checkout without Rust, its
# tests and the notebooks run there.  usage: scripts/check-python.sh
set -euo pipefail
cd "$(dirname "$0")/.."
project="$(pwd)"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/anonlab-python"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

if [ ! -x "$cache/bin/maturin" ]; then
    python3 -m venv "$cache"
    "$cache/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.9,<2' 'mypy>=1.15' 'ruff>=0.12'
fi
export PATH="$cache/bin:$PATH"
ruff check python
ruff format --check python
(cd python && mypy --config-file ../pyproject.toml)

scripts/build-wheel.sh "$work/dist" --quiet
wheel="$(echo "$work"/dist/*.whl)"
size="$(stat -c %s "$wheel")"
echo "$(basename "$wheel"): $((size / 1000000)) MB"
[ "$size" -lt 40000000 ] || { echo "the wheel is larger than 40 MB"; exit 1; }

python3 -m venv "$work/empty"
# Installing must not need Rust.
PATH="$work/empty/bin:/usr/bin:/bin" "$work/empty/bin/pip" install --quiet --disable-pip-version-check "$wheel" \
    pytest polars nbclient ipykernel
[ -f "$work/empty/share/man/man1/anonlab-run.1" ] || { echo "the wheel has no manual pages"; exit 1; }
[ -f "$work/empty/share/bash-completion/completions/anonlab" ] || { echo "the wheel has no completions"; exit 1; }

cp -r python/tests docs/notebooks "$work/"
cd "$work"
"$work/empty/bin/python" -m pytest --quiet -p no:cacheprovider tests
"$work/empty/bin/python" tests/notebooks.py notebooks
echo "the Python side of $(basename "$project") is sound"
