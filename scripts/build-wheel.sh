#!/usr/bin/env bash
# Builds the wheel into DIR (default: dist), with manual pages and shell completions in their usual places.
# Needs maturin (`pip install maturin`) and Rust.  usage: scripts/build-wheel.sh [DIR] [further arguments of maturin build]
set -euo pipefail
cd "$(dirname "$0")/.."
out="${1:-dist}"
shift || true

# maturin takes what is in `anonlab.data` into the wheel: `data/share/...` ends below the environment's prefix.
trap 'rm -rf anonlab.data' EXIT
share=anonlab.data/data/share
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
cargo build --release --bin anonlab
binary="${CARGO_TARGET_DIR:-target}/release/anonlab"
"$binary" man --out "$share/man/man1"
"$binary" completions bash >"$share/bash-completion/completions/anonlab"
"$binary" completions zsh >"$share/zsh/site-functions/_anonlab"
"$binary" completions fish >"$share/fish/vendor_completions.d/anonlab.fish"

maturin build --release --out "$out" "$@"
