#!/bin/sh
# Fetches axe-core, with which the browser tests look for what keeps people out (`cargo test --test browser accessible`), into
# the cache directory. Does nothing where it is present. The tests themselves need no network.
set -eu

version="4.10.3"
digest="0f2b4d7dcdf7d1219df8d1959ad68e565f51d14c3f0d88bb71cd59abeb956292"
folder="${XDG_CACHE_HOME:-$HOME/.cache}/anonlab/axe-core-$version"

if [ -f "$folder/axe.min.js" ]; then
    echo "axe-core $version is present"
    exit 0
fi
if ! command -v npm >/dev/null 2>&1; then
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "no npm and no apt-get here: put axe.min.js of axe-core $version into $folder by hand" >&2
        exit 1
    fi
    as_root=""
    [ "$(id -u)" -eq 0 ] || as_root="sudo"
    $as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends npm
fi

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent "axe-core@$version" >/dev/null
echo "$digest  axe-core-$version.tgz" | sha256sum --check --quiet
tar -xzf "axe-core-$version.tgz" package/axe.min.js
mkdir -p "$folder"
# At once or not at all: another run may look at the same time.
mv package/axe.min.js "$folder/axe.min.js.$$"
mv "$folder/axe.min.js.$$" "$folder/axe.min.js"
echo "axe-core $version is in $folder"
