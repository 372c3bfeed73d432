#!/usr/bin/env bash
# Builds the wheel into DIR (default: dist), with manual pages and shell completions in their usual places, and an archive of the
# same program for those without Python. Needs maturin (`pip install maturin`; with `--zig`, `maturin[zig]`) and Rust.
# usage: scripts/build-wheel.sh [DIR] [further arguments of maturin build]
#   scripts/build-wheel.sh dist --zig --compatibility manylinux_2_28 --target aarch64-unknown-linux-gnu    for an older glibc
set -euo pipefail
cd "$(dirname "$0")/.."
out="${1:-dist}"
shift || true

# maturin takes what is in `anonlab.data` into the wheel: `data/share/...` ends below the environment's prefix. The pages are made by
# a build for this machine, whatever the wheel's target is.
work="$(mktemp -d)"
trap 'rm -rf anonlab.data "$work"' EXIT
share=anonlab.data/data/share
mkdir -p "$out" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
cargo build --release --locked --bin anonlab
binary="${CARGO_TARGET_DIR:-target}/release/anonlab"
"$binary" man --out "$share/man/man1"
"$binary" completions bash >"$share/bash-completion/completions/anonlab"
"$binary" completions zsh >"$share/zsh/site-functions/_anonlab"
"$binary" completions fish >"$share/fish/vendor_completions.d/anonlab.fish"

maturin build --release --locked --out "$work/dist" "$@"

wheel="$(echo "$work"/dist/*.whl)"
# anonlab-0.1.0-py3-none-PLATFORM.whl gives anonlab-0.1.0-PLATFORM.tar.gz.
name="$(basename "$wheel" .whl)"
name="${name/-py3-none-/-}"
mkdir "$work/$name"
python3 -m zipfile -e "$wheel" "$work/unpacked"
cp "$work"/unpacked/*.data/scripts/anonlab "$work/$name/"
chmod +x "$work/$name/anonlab"
cp -r README.md LICENSE CHANGELOG.md "$share" "$work/$name/"
tar -C "$work" -czf "$out/$name.tar.gz" "$name"
cp "$wheel" "$out/"
