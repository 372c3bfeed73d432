#!/bin/sh
# Installs Debian's TeX Live for the tests that compile what `anonlab export` writes. Does nothing where it is present.
set -eu

if command -v pdflatex >/dev/null 2>&1 && kpsewhich pgfplots.sty >/dev/null && kpsewhich standalone.cls >/dev/null; then
    echo "LaTeX with PGFPlots is present: $(pdflatex --version | head -n 1)"
    exit 0
fi

if ! command -v apt-get >/dev/null 2>&1; then
    echo "no LaTeX with PGFPlots and no apt-get here: install TeX Live by hand" >&2
    exit 1
fi

as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo"

$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends \
    texlive-latex-recommended texlive-latex-extra texlive-pictures texlive-fonts-recommended lmodern >/dev/null
pdflatex --version | head -n 1
