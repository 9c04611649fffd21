#!/usr/bin/env bash
# Where Debian packages of images come from, and which: source it, after `set -euo pipefail`.
#
# packages.lock names the packages by which images are what they are: version, and the SHA-256 of the archive for one architecture.
# A mirror moves on, and old versions leave it, so a newer one is taken and said. An older one is refused: with that, an index whose
# age cannot be checked (a mirror that lags, a machine without the right time) cannot bring old faults back. To renew the lock, take the
# versions that a build says are newer (build/log/building-images.log).
lock=$(dirname "${BASH_SOURCE[0]}")/packages.lock

# The mirror that this machine uses for Debian itself: not for its security updates, nor for anything of others.
debian_mirror() {
  # shellcheck disable=SC2016 # the format is apt-get's to expand
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 'Component: main' 2>/dev/null | sed -n 1p
}

# fresh_or_late LOG COMMAND: runs the command with "true", for apt to check the age of its index; where that is all that is wrong, with "false".
fresh_or_late() {
  local log=$1
  shift
  "$@" true >"$log" 2>&1 && return
  grep -qiE 'expired|not valid yet|Valid-Until' "$log" || return
  echo "the mirror's index is older than it should be: its age is not checked"
  "$@" false >"$log" 2>&1
}

# hold_to_lock: reads "PACKAGE VERSION [FILE]" lines, and fails where one is older, or has other bytes, than the lock says.
hold_to_lock() {
  local package version file locked sum
  while read -r package version file; do
    read -r locked sum < <(awk -v p="$package" -v a="$(dpkg --print-architecture)" '$1 == p {print $2, ($4 == a ? $3 : "-")}' "$lock") || continue
    if dpkg --compare-versions "$version" lt "$locked"; then
      echo "$package $version is older than $locked of images/debian/packages.lock: the mirror is stale, or replays an old index" >&2
      return 1
    elif [[ $version != "$locked" ]]; then
      echo "$package $version is newer than $locked of images/debian/packages.lock"
    elif [[ -n $file && $sum != - && $(sha256sum <"$file") != "$sum  -" ]]; then
      echo "$package $version has other bytes than images/debian/packages.lock says" >&2
      return 1
    fi
  done
}
