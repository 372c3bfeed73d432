#!/usr/bin/env bash
# Whether both crates carry everything they need: packed as for crates.io, unpacked elsewhere, checked there; and `cargo install` from
# the checkout. The core is on no registry yet, so the unpacked crates are pointed at each other instead of verified by cargo.
# usage: scripts/check-packages.sh
set -euo pipefail
cd "$(dirname "$0")/.."
target="${CARGO_TARGET_DIR:-$(pwd)/target}"
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

cargo package --quiet --workspace --no-verify --allow-dirty --locked
for crate in anonlab-core anonlab; do
    tar -C "$work" -xzf "$target/package/$crate-$version.crate"
done
printf '\n[patch.crates-io]\nanonlab-core = { path = "../anonlab-core-%s" }\n' "$version" >>"$work/anonlab-$version/Cargo.toml"
(cd "$work/anonlab-$version" && CARGO_TARGET_DIR="$target" cargo check --quiet)
echo "both packages carry what they need: $(cd "$target/package" && du -h "anonlab-core-$version.crate" "anonlab-$version.crate" | tr '\n\t' '; ')"

cargo install --quiet --locked --path . --root "$work/root"
(cd "$work" && root/bin/anonlab publish --dataset adult --algorithm anatomy -p l=4 --out release >/dev/null)
echo "cargo install: $("$work/root/bin/anonlab" --version) works without the checkout"
