#!/bin/sh
# Installs the languages in which the tests write external algorithms: Python, Perl, and R with jsonlite. Does nothing
# where they are present.
set -eu

missing=""
command -v python3 >/dev/null 2>&1 || missing="$missing python3"
command -v perl >/dev/null 2>&1 || missing="$missing perl"
Rscript -e 'library(jsonlite)' >/dev/null 2>&1 || missing="$missing r-base-core r-cran-jsonlite"
[ -n "$missing" ] || { echo "Python, Perl and R are present"; exit 0; }

if ! command -v apt-get >/dev/null 2>&1; then
    echo "missing, and no apt-get here to install it:$missing" >&2
    exit 1
fi

as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo"

$as_root apt-get update -qq
# shellcheck disable=SC2086 # one word a package
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
echo "installed:$missing"
