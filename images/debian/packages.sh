#!/usr/bin/env bash
# Functions for the Debian packages of images. Source it after `set -euo pipefail`.
#
# packages.lock lists the packages in images: version, and SHA-256 of the archive for one architecture. Mirrors drop old versions, so a newer
# version is accepted and reported. An older version is rejected. So an index whose age cannot be checked (a stale mirror, a machine with a
# wrong clock) cannot bring known vulnerabilities back. To renew the lock, use the newer versions that a build reports
# (build/log/building-images.log).
lock=$(dirname "${BASH_SOURCE[0]}")/packages.lock

# debian_keyring FOLDER: prints the path of Debian's signing keys. A machine of another distribution, such as Ubuntu, fetches them into FOLDER
# from its own archive, as a package of that distribution. So the machine's own keys vouch for Debian's, and nothing is installed.
debian_keyring() {
  local keyring=${DEBIAN_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}
  if [[ ! -r $keyring ]]; then
    mkdir -p "$1"
    (cd "$1" && apt-get -q -o APT::Sandbox::User="$(id -un)" download debian-archive-keyring && dpkg-deb -x debian-archive-keyring_*.deb .) >&2 || true
    keyring=$(cd "$1" && pwd)/usr/share/keyrings/debian-archive-keyring.gpg
  fi
  [[ -r $keyring ]] || { echo "Debian's signing keys cannot be found: run apt-get update and apt-get install debian-archive-keyring, or set DEBIAN_KEYRING=<file>" >&2; return 1; }
  echo "$keyring"
}

# need_mmdebstrap: installs mmdebstrap if it is missing.
need_mmdebstrap() {
  command -v mmdebstrap >/dev/null || "$(dirname "${BASH_SOURCE[0]}")/../../cluster/internal/packages/apt.sh" install mmdebstrap
}

# default_mirror KEYRING SUITE: prints mmdebstrap's mirror of a suite, by asking it for its list of sources and stopping it before it does anything.
default_mirror() {
  local mode=root
  (($(id -u) == 0)) || mode=chrootless # newer versions refuse this mode to root
  # shellcheck disable=SC2016 # the hook's shell expands $1
  { mmdebstrap --mode=$mode --variant=custom --keyring="$1" --setup-hook='cat "$1/etc/apt/sources.list"; exit 1' "$2" /dev/null 2>&1 </dev/null || true; } |
    sed -nE "s/^deb (\[[^]]*\] )?([^ ]+) $2 main\$/\2/p" | sed -n 1p
}

# debian_mirror [KEYRING]: prints a mirror of Debian main: DEBIAN_MIRROR, or the one of this machine's apt (not that of security updates or of
# third parties), or the default of mmdebstrap.
debian_mirror() {
  local mirror=${DEBIAN_MIRROR:-}
  # shellcheck disable=SC2016 # apt-get expands the format
  [[ $mirror ]] || mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' 'Component: main' 2>/dev/null | sed -n 1p)
  [[ $mirror || $(id -u) != 0 ]] || need_mmdebstrap >&2 || true
  [[ $mirror ]] || mirror=$(default_mirror "${1:-/usr/share/keyrings/debian-archive-keyring.gpg}" sid)
  [[ $mirror ]] || { echo "no mirror of Debian is known: set DEBIAN_MIRROR=<URL>, or run apt-get install mmdebstrap, which knows one" >&2; return 1; }
  echo "$mirror"
}

# sid_download FOLDER CHECK PACKAGE...: downloads packages of Debian sid into FOLDER/debs, verified with Debian's keys. CHECK is true or false:
# whether apt checks the age of its index. It reads no source of this machine, writes to FOLDER only, and needs no root.
sid_download() {
  local folder=$1 check=$2 keyring mirror apt
  shift 2
  keyring=$(debian_keyring "$folder/keys") || return
  mirror=$(debian_mirror "$keyring") || return
  mkdir -p "$folder"/state/lists/partial "$folder"/cache/archives/partial "$folder/debs"
  touch "$folder/status"
  echo "deb [signed-by=$keyring] $mirror sid main" >"$folder/sources.list"
  apt=(-q -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=- -o Dir::Etc::Preferences=- -o Dir::Etc::PreferencesParts=-
    -o Dir::State="$folder/state" -o Dir::State::status="$folder/status" -o Dir::Cache="$folder/cache"
    -o Acquire::Languages=none -o Acquire::Check-Valid-Until="$check" -o APT::Sandbox::User="$(id -un)")
  (cd "$folder/debs" && apt-get "${apt[@]}" update && apt-get "${apt[@]}" download "$@")
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

# why_not LOG: prints the first error of apt or mmdebstrap. Debian may drop a Java that Ringside needs.
why_not() {
  local java
  java=$(sed -nE 's/.*Unable to locate package (openjdk-[0-9]+-jre-headless).*/\1/p' "$1" | sed -n 1p)
  if [[ $java ]]; then
    echo "Debian sid no longer has $java; set BASE=<image with this Java>, or DEBIAN_MIRROR=<snapshot of Debian that has it>"
  else
    grep -m 1 -E '^(E|Err):' "$1" || tail -n 1 "$1"
  fi
}

# hold_to_lock: reads lines "PACKAGE VERSION [FILE]", and fails if a package is older than in the lock, or has another checksum. Architectures are
# rebuilt and published separately, so only versions of this machine's are compared.
hold_to_lock() {
  local package version file locked sum
  while read -r package version file; do
    read -r locked sum < <(awk -v p="$package" -v a="$(dpkg --print-architecture)" '$1 == p && ($4 == a || $4 == "all") {print $2, $3}' "$lock") || continue
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
