#!/usr/bin/env bash
# Runs make experiment EXPERIMENT=smoke on other systems, each in a new root file system with nothing but make and git, from a clean clone of
# HEAD. Then takes the cluster down, uninstalls, and verifies that nothing is left. Needs root and mmdebstrap; 20 GB of disk and half an hour each.
# Usage: cluster/hosts/test.sh [HOST...]; a HOST is debian-12, debian-13 or ubuntu-24.04; by default all of them
#
# The kernel, its control groups and the network are this machine's. Services and boot are not tested: no init runs.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=cluster/hosts/root.sh
. cluster/hosts/root.sh

# inside: what a user does on the new machine. Its arguments are variables of make.
# shellcheck disable=SC2016 # the shell inside expands these
inside='
  cd /root/ringside
  packages() { dpkg-query -W -f "\${Package} \${db:Status-Status}\n" | sort | sed -n "s/ installed$//p"; }
  packages >/root/packages-before
  files() { for folder in /opt /etc/cni; do [ ! -e "$folder" ] || find "$folder" -maxdepth 1; done | sort; }
  files >/root/files-before
  trap "make cluster-down $*" EXIT
  make experiment EXPERIMENT=smoke OPS=200 "$@"
  trap - EXIT
  make cluster-down "$@"
  find results -name SHA256SUMS | grep -q . || { echo "the run was not exported"; exit 1; }
  files >/root/files-after
  if comm -13 /root/files-before /root/files-after | grep .; then echo "the cluster left these files on the host"; exit 1; fi
  packages | comm -13 /root/packages-before - | wc -l | sed "s/$/ packages were installed/"
  make uninstall
  packages | diff /root/packages-before - || { echo "these packages were removed (<) or left (>)"; exit 1; }
  [ ! -e build ] || { echo "build is left"; exit 1; }'

hosts=("$@")
((${#hosts[@]})) || hosts=(debian-12 debian-13 ubuntu-24.04)
port=17301
for host in "${hosts[@]}"; do
  root=$work/$host log=$work/$host.log start=$SECONDS
  echo "=== $host (log: $log)"
  make_root "$host" "$root" >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "$host: its root file system cannot be made (log: $log)"; }
  enter "$root" bash -euo pipefail -c "$inside" inside INSTANCE="${host//./-}" API_PORT=$port >>"$log" 2>&1 || { tail -n 40 "$log" >&2; fail "$host failed (log: $log; files: $root)"; }
  grep -E '^\[ *[0-9]+:[0-9]+\]|packages were installed' "$log"
  printf '%3d min %02d s  %s: smoke ran, nothing is left\n' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)) "$host"
  rm -rf --one-file-system "$root"
  port=$((port + 1))
done
