#!/usr/bin/env bash
# Stages the base image of the Java images for machines without a container registry: a Debian root file system with the given Java, from
# this machine's package mirror. Usage: images/base.sh FOLDER JAVA; the folder becomes a build context.
# The suite is Debian sid, because only sid has both Java 8 and the newest Java.
set -euo pipefail
context=${1:?usage: images/base.sh FOLDER JAVA} java=${2:?which Java: 8, 25, ...}
# shellcheck source=images/debian/packages.sh
. "$(dirname "$0")/debian/packages.sh"

fail() { echo "images/base.sh: $*" >&2; exit 2; }
[ "$(id -u)" = 0 ] || fail "build the base image: this needs root; run as root, or leave BASE empty to use the public image"
command -v mmdebstrap >/dev/null || fail "build the base image: mmdebstrap is missing; run apt-get install mmdebstrap, or leave BASE empty to use the public image"

mirror=$(debian_mirror)
rm -rf "$context" && mkdir -p "$context"
bootstrap() {
	mmdebstrap --variant=essential --include="openjdk-$java-jre-headless,libjemalloc2" --aptopt="Acquire::Check-Valid-Until \"$1\"" \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
		sid "$context/root.tar" ${mirror:+"$mirror"}
}
fresh_or_late "$context.log" bootstrap || fail "build the base image: mmdebstrap failed: $(grep -E '^E:' "$context.log" | head -1); see $context.log"
tar -xOf "$context/root.tar" ./var/lib/dpkg/status | awk '/^Package:/ {p = $2} /^Version:/ {print p, $2}' | hold_to_lock || fail "build the base image: its packages are rejected"
printf 'FROM scratch\nADD root.tar /\n' >"$context/Containerfile"
