#!/usr/bin/env bash
# The Python side: types and lints, the wheel built, installed into an empty environment outside the checkout without Rust, its
# tests, the notebooks and the README's first ten minutes run there; started through pipx and uvx.  usage: scripts/check-python.sh
set -euo pipefail
cd "$(dirname "$0")/.."
project="$(pwd)"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/anonlab-python"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

if [ ! -x "$cache/bin/pipx" ]; then
    python3 -m venv "$cache"
    "$cache/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.9,<2' 'mypy>=1.15' 'ruff>=0.12' pipx uv
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

# Listed once: `grep -q` at the end of a pipe would end tar early, which is a failure of the pipe.
listed="$(tar -tzf "$(echo "$work"/dist/*.tar.gz)")"
for file in anonlab share/man/man1/anonlab-run.1 share/zsh/site-functions/_anonlab share/fish/vendor_completions.d/anonlab.fish; do
    grep -q "/$file\$" <<<"$listed" || { echo "the archive has no $file"; exit 1; }
done

cp -r python/tests docs/notebooks README.md "$work/"
cd "$work"
export PIPX_HOME="$work/pipx" PIPX_BIN_DIR="$work/pipx/bin" UV_CACHE_DIR="$work/uv" UV_TOOL_DIR="$work/uv/tools"
for starter in "pipx run --spec" "uvx --from"; do
    # shellcheck disable=SC2086 # one word an argument
    $starter "$wheel" anonlab --version
done
"$work/empty/bin/python" -m anonlab --version
"$work/empty/bin/python" -m pytest --quiet -p no:cacheprovider tests
"$work/empty/bin/python" tests/notebooks.py notebooks
PATH="$work/empty/bin:/usr/bin:/bin" "$work/empty/bin/python" tests/readme.py README.md "Ten minutes, without Rust"
echo "the Python side of $(basename "$project") is sound"
