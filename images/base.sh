#!/usr/bin/env bash
# Makes the base of the Java images for machines without a container registry: a Debian root file system with the given Java, from a
# mirror of Debian. Usage: images/base.sh FOLDER JAVA; writes FOLDER/root.tar, a layer for this machine's architecture.
# The suite is Debian sid, because only sid has both Java 8 and the newest Java.
set -euo pipefail
folder=${1:?usage: images/base.sh FOLDER JAVA} java=${2:?which Java: 8, 25, ...}
# shellcheck source=images/debian/packages.sh
. "$(dirname "$0")/debian/packages.sh"

fail() { echo "images/base.sh: $*" >&2; exit 2; }
[ "$(id -u)" = 0 ] || fail "build the base image: this needs root; run as root, or use another base: BASE=<image with Java $java>"
need_mmdebstrap || fail "build the base image: mmdebstrap is missing and cannot be installed; use another base: BASE=<image with Java $java>"

rm -rf "$folder" && mkdir -p "$folder"
keyring=$(debian_keyring "$folder.keys") || fail "build the base image: there are no keys of Debian"
mirror=$(debian_mirror "$keyring") || fail "build the base image: there is no mirror of Debian"
# Two kinds of files that packages make when they are installed contain the time: Java's store of public certificates, which no image uses, and
# Java 8's archive of classes, which only saves a part of a second at the start. An archive of classes that belongs to a package stays.
# apt's configuration contains the mirror and the options of this call.
# shellcheck disable=SC2016 # the hook's shell expands these
timeless='rm -r "$1/etc/ssl/certs/java/cacerts" "$1"/etc/apt/sources.list* "$1/etc/apt/apt.conf.d/99mmdebstrap"
find "$1/usr/lib/jvm" -name "classes*.jsa" | while read -r archive; do cat "$1"/var/lib/dpkg/info/*.list | grep -qxF "${archive#"$1"}" || rm "$archive"; done'
# Without APT::Sandbox::User, apt reads the keyring as a user who may not enter this folder.
bootstrap() {
	SOURCE_DATE_EPOCH=0 mmdebstrap --keyring="$keyring" --variant=essential --include="openjdk-$java-jre-headless,libjemalloc2" \
		--aptopt="Acquire::Check-Valid-Until \"$1\"" --aptopt='APT::Sandbox::User "root"' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
		--customize-hook="$timeless" \
		sid "$folder/root.tar" "$mirror"
}
fresh_or_late "$folder.log" bootstrap || fail "build the base image: mmdebstrap failed: $(why_not "$folder.log"); see $folder.log"
tar -xOf "$folder/root.tar" ./var/lib/dpkg/status | awk '/^Package:/ {p = $2} /^Version:/ {print p, $2}' | hold_to_lock || fail "build the base image: its packages are rejected"
