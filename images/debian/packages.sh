#!/usr/bin/env bash
# Functions for the Debian packages of images. Source it after `set -euo pipefail`.
#
# packages.lock lists the packages in images: version, and SHA-256 of the archive for one architecture. Mirrors drop old versions, so a newer
# version is accepted and reported. An older version is rejected. So an index whose age cannot be checked (a stale mirror, a machine with a
# wrong clock) cannot bring known vulnerabilities back. To renew the lock, use the newer versions that a build reports
# (build/log/building-images.log).
lock=$(dirname "${BASH_SOURCE[0]}")/packages.lock

# debian_mirror: prints this machine's mirror of Debian main, not that of security updates or of third parties.
debian_mirror() {
  # shellcheck disable=SC2016 # apt-get expands the format
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 'Component: main' 2>/dev/null | sed -n 1p
}

# fresh_or_late LOG COMMAND: runs the command with the argument "true", so that apt checks the age of its index. If only that check fails, runs
# it again with "false".
fresh_or_late() {
  local log=$1
  shift
  "$@" true >"$log" 2>&1 && return
  grep -qiE 'expired|not valid yet|Valid-Until' "$log" || return
  echo "the mirror's index is out of date: it is used without a check of its age"
  "$@" false >"$log" 2>&1
}

# hold_to_lock: reads lines "PACKAGE VERSION [FILE]", and fails if a package is older than in the lock, or has another checksum.
hold_to_lock() {
  local package version file locked sum
  while read -r package version file; do
    read -r locked sum < <(awk -v p="$package" -v a="$(dpkg --print-architecture)" '$1 == p {print $2, ($4 == a ? $3 : "-")}' "$lock") || continue
    if dpkg --compare-versions "$version" lt "$locked"; then
      echo "$package $version is older than $locked of images/debian/packages.lock: the mirror is stale, or replays an old index; use another mirror" >&2
      return 1
    elif [[ $version != "$locked" ]]; then
      echo "$package $version is newer than $locked of images/debian/packages.lock"
    elif [[ -n $file && $sum != - && $(sha256sum <"$file") != "$sum  -" ]]; then
      echo "$package $version: its checksum differs from images/debian/packages.lock; use another mirror, or check the package and update the lock" >&2
      return 1
    fi
  done
}
