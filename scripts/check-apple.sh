#!/usr/bin/env bash
# Whether the code compiles for macOS, as far as that can be told without one: `cargo check` for both Apple targets. Nothing is linked,
# so the little C of dependencies (blake3, ring) is not compiled: a stand-in for the compiler leaves empty files.
# Needs `rustup target add aarch64-apple-darwin x86_64-apple-darwin`; says so and does nothing where they are absent.
# usage: scripts/check-apple.sh [further arguments of cargo check]
set -euo pipefail
cd "$(dirname "$0")/.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

cat >"$work/cc" <<'STUB'
#!/usr/bin/env bash
# Leaves an empty file where the compiler or the archiver would leave its own.
while [ $# -gt 0 ]; do
    case "$1" in
    -o) : >"$2" && shift ;;
    *.a) : >"$1" ;;
    esac
    shift
done
STUB
chmod +x "$work/cc"

for target in aarch64-apple-darwin x86_64-apple-darwin; do
    if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
        echo "$target is not installed here and was not checked: rustup target add $target"
        continue
    fi
    name="${target//-/_}"
    env "CC_$name=$work/cc" "AR_$name=$work/cc" SDKROOT=/ cargo check --quiet --target "$target" "$@"
    echo "the code compiles for $target"
done
