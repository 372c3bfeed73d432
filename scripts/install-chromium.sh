#!/bin/sh
# Installs Debian's chromium for the browser tests (`cargo test --test browser`), and poppler's pdftotext, with which they read
# what was printed. Does nothing where both are present.
set -eu

browser=""
for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && browser="$name" && break
done
packages=""
# A font the generic families resolve to: without one Chromium measures no text, and a test of overflow shows nothing.
[ -n "$browser" ] || packages="chromium fonts-dejavu-core"
command -v pdftotext >/dev/null 2>&1 || packages="$packages poppler-utils"
if [ -z "$packages" ]; then
    echo "$browser and pdftotext are present: $("$browser" --version 2>/dev/null || true)"
    exit 0
fi

if ! command -v apt-get >/dev/null 2>&1; then
    echo "no apt-get here: install Chromium and poppler by hand, or set ANONLAB_CHROMIUM to the browser's path" >&2
    exit 1
fi

as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo"

$as_root apt-get update -qq
# shellcheck disable=SC2086 # one word a package
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $packages
echo "installed: $packages"
