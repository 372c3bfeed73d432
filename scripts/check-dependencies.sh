#!/bin/sh
# Holds every dependency to deny.toml: licences, sources, banned crates. Installs cargo-deny where it is missing, which takes minutes;
# not part of CI for that reason. Advisories need the RustSec database: `scripts/check-dependencies.sh advisories`.
set -eu
cd "$(dirname "$0")/.."

cargo deny --version >/dev/null 2>&1 || cargo install --locked cargo-deny
if [ $# -eq 0 ]; then
    set -- licenses bans sources
fi
cargo deny check "$@"
