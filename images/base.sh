#!/usr/bin/env bash
# Stages the image that Java images stand on where no container registry can be reached: a Debian root file system with a
# Java 8, 25, ... from the packages of this machine's own mirror. Usage: images/base.sh FOLDER JAVA; the folder becomes a build context.
# Debian sid is the one suite that has Java 8 as well as the newest.
set -euo pipefail
context=${1:?usage: images/base.sh FOLDER JAVA} java=${2:?which Java: 8, 25, ...}
# shellcheck source=images/debian/packages.sh
. "$(dirname "$0")/debian/packages.sh"

fail() { echo "images/base.sh: $*" >&2; exit 2; }
[ "$(id -u)" = 0 ] || fail "bootstrapping the base image needs root; run as root, or leave BASE empty to use the public image"
command -v mmdebstrap >/dev/null || fail "mmdebstrap is missing: apt-get install mmdebstrap, or leave BASE empty to use the public image"

mirror=$(debian_mirror)
rm -rf "$context" && mkdir -p "$context"
bootstrap() {
	mmdebstrap --variant=essential --include="openjdk-$java-jre-headless,libjemalloc2" --aptopt="Acquire::Check-Valid-Until \"$1\"" \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
		sid "$context/root.tar" ${mirror:+"$mirror"}
}
fresh_or_late "$context.log" bootstrap || fail "mmdebstrap failed: $(grep -E '^E:' "$context.log" | head -1); see $context.log"
tar -xOf "$context/root.tar" ./var/lib/dpkg/status | awk '/^Package:/ {p = $2} /^Version:/ {print p, $2}' | hold_to_lock || fail "the base image is refused"
printf 'FROM scratch\nADD root.tar /\n' >"$context/Containerfile"
