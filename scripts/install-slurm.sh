#!/bin/sh
# Installs what scripts/check-slurm.sh needs: Debian's Slurm and MUNGE, for a private cluster, and GNU parallel. Does
# nothing where they are present. No daemon is started.
set -eu

# Daemons are in /usr/sbin, which is not on everybody's path.
PATH="$PATH:/usr/sbin:/sbin"

missing=""
for pair in slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client munged:munge parallel:parallel; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
[ -n "$missing" ] || { echo "Slurm, MUNGE and GNU parallel are present"; exit 0; }

if ! command -v apt-get >/dev/null 2>&1; then
    echo "missing, and no apt-get here to install it:$missing" >&2
    exit 1
fi

as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo"

# Debian starts a daemon as it installs it, unless this file forbids it (code 101).
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | $as_root tee "$policy" >/dev/null
    $as_root chmod 755 "$policy"
    trap '$as_root rm -f "$policy"' EXIT
fi

$as_root apt-get update -qq
# shellcheck disable=SC2086 # one word a package
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
echo "installed:$missing"
