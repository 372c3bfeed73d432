#!/usr/bin/env bash
# The same measurements on any machine: quick specs under the C library's other variants, and in builds for musl and aarch64.
#
#   scripts/check-bytes.sh [SPEC…]       the specs of experiments/ unless given
#
# Builds for other targets are tried where rustup has their standard library (`rustup target add x86_64-unknown-linux-musl
# aarch64-unknown-linux-musl`) and, for aarch64, where qemu-aarch64 and aarch64-linux-gnu-gcc are there (Debian: qemu-user,
# gcc-aarch64-linux-gnu). What is not tried is told. ANONLAB is the program
# to compare with; it is built unless given. ONLY names figures, separated by commas, that other builds are compared on: emulation is
# slow.
#
# Exit codes: 0 the same bytes · 1 other bytes · 3 the same bytes but for cells that one of the runs did not end within its limits
set -euo pipefail
cd "$(dirname "$0")/.."

specs=("$@")
[ ${#specs[@]} -gt 0 ] || specs=(experiments/*.yaml)
if [ -z "${ANONLAB:-}" ]; then
    cargo build --release --quiet
    ANONLAB="${CARGO_TARGET_DIR:-target}/release/anonlab"
fi
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
failed=0 unended=0

# run NAME PROGRAM…: every spec's quick variant, as it stands, into a directory of that name.
run() {
    local name=$1
    shift
    # Verdicts do not matter here, and a timeout may be this machine's.
    "$@" reproduce --experiments "$out/specs" --quick --readings none --quiet --out "$out/$name" >"$out/$name.txt" 2>&1 || [ $? -eq 1 ] || {
        cat "$out/$name.txt"
        exit 1
    }
}

compare() {
    for spec in "${specs[@]}"; do
        local id code=0
        id="$(basename "$spec" .yaml)"
        if [ ! -e "$out/here/$id" ]; then
            echo "not tried: $id, which only runs under \`reproduce --thorough\`"
            continue
        fi
        echo -n "$id, $1: "
        python3 scripts/compare-bytes.py "$out/here/$id/measurements.csv" "$out/$1/$id/measurements.csv" || code=$?
        case $code in
            0) ;;
            3) unended=1 ;;
            *) failed=1 ;;
        esac
    done
}

mkdir "$out/specs"
cp "${specs[@]}" "$out/specs/"
run here "$ANONLAB"
run without-fma-avx env GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4,-AVX "$ANONLAB"
compare without-fma-avx

# Workers of other builds beside this one, cell by cell. Whatever they were built for, answers must be the same to the last bit.
installed="$(rustup target list --installed 2>/dev/null || true)"
for target in x86_64-unknown-linux-musl aarch64-unknown-linux-musl; do
    if ! grep -qx "$target" <<<"$installed"; then
        echo "not tried: $target, whose standard library is not installed"
        continue
    fi
    worker="${CARGO_TARGET_DIR:-target}/$target/release/anonlab-worker"
    if [ "${target%%-*}" = aarch64 ]; then
        if ! command -v qemu-aarch64 >/dev/null || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
            echo "not tried: $target, there is no qemu-aarch64 or no aarch64-linux-gnu-gcc"
            continue
        fi
        export CC_aarch64_unknown_linux_musl=aarch64-linux-gnu-gcc CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
    else
        export CC_x86_64_unknown_linux_musl=gcc
    fi
    cargo build --release --quiet --package anonlab-core --features worker-binary --bin anonlab-worker --target "$target"
    if [ "${target%%-*}" = aarch64 ]; then
        printf '#!/bin/sh\nexec qemu-aarch64 %q "$@"\n' "$(realpath "$worker")" >"$out/emulated"
        chmod +x "$out/emulated"
        worker="$out/emulated"
    fi
    words=()
    for spec in "${specs[@]}"; do words+=(--spec "$spec"); done
    [ -z "${ONLY:-}" ] || words+=(--only "$ONLY")
    echo "$target:"
    "$ANONLAB" track check --quick --quiet --lane exact --against "$worker" --out "$out/$target" "${words[@]}" || failed=1
done
# 1: other bytes; 3: no other bytes, but cells that did not end under this machine's load, and were not compared.
[ $failed -eq 0 ] || exit 1
[ $unended -eq 0 ] || exit 3
