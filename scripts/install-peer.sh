#!/usr/bin/env bash
# Installs another tool from PyPI into an environment of its own below the cache directory (they want different versions of each
# other), unless it is there, and prints the environment's Python.
#
#   python=$(scripts/install-peer.sh anonypy|anjana|pycanon|scikit-learn)
set -euo pipefail

case "${1:-}" in
    # It uses pandas without saying so.
    anonypy) packages=(anonypy==0.2.1 pandas==2.3.3) ;;
    anjana) packages=(anjana==1.2.3) ;;
    pycanon) packages=(pycanon==1.3.6) ;;
    scikit-learn) packages=(scikit-learn==1.7.2) ;;
    *)
        echo "usage: $0 anonypy|anjana|pycanon|scikit-learn" >&2
        exit 2
        ;;
esac
environment=${XDG_CACHE_HOME:-$HOME/.cache}/anonlab/peers/$(IFS=+; echo "${packages[*]}")
if [ ! -e "$environment/ready" ]; then
    python3 -m venv "$environment" >&2
    "$environment/bin/pip" install --quiet "${packages[@]}" >&2
    touch "$environment/ready"
fi
echo "$environment/bin/python"
