#!/bin/sh
# Installs Debian's chromium for the browser tests (`cargo test --test browser`). Does nothing where one is present.
set -eu

for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then
        echo "$name is present: $("$name" --version 2>/dev/null || true)"
        exit 0
    fi
done

if ! command -v apt-get >/dev/null 2>&1; then
    echo "no chromium and no apt-get here: install Chromium by hand, or set ANONLAB_CHROMIUM to its path" >&2
    exit 1
fi

as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo"

$as_root apt-get update -qq
# A font the generic families resolve to: without one Chromium measures no text, and a test of overflow shows nothing.
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core
chromium --version
