#!/usr/bin/env bash
# Stages the image that Java images stand on where no container registry can be reached: a Debian root file system with a
# Java 8, from the packages of this machine's own mirror. Usage: images/base.sh FOLDER, which becomes a build context.
# Debian sid is the one suite that still has Java 8; its signature is checked, its age is not (mirrors lag).
set -euo pipefail
context=${1:?usage: images/base.sh FOLDER}

fail() { echo "images/base.sh: $*" >&2; exit 2; }
[ "$(id -u)" = 0 ] || fail "bootstrapping the base image needs root; run as root, or leave BASE empty to use the public image"
command -v mmdebstrap >/dev/null || fail "mmdebstrap is missing: apt-get install mmdebstrap, or leave BASE empty to use the public image"

# shellcheck disable=SC2016 # apt-get expands it
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | head -1)
rm -rf "$context" && mkdir -p "$context"
echo "bootstrapping a Java 8 base image from Debian packages"
mmdebstrap --variant=essential --include=openjdk-8-jre-headless,libjemalloc2 \
	--aptopt='Acquire::Check-Valid-Until "false"' \
	--dpkgopt='path-exclude=/usr/share/locale/*' \
	--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
	sid "$context/root.tar" ${mirror:+"$mirror"} >"$context.log" 2>&1 ||
	fail "mmdebstrap failed: $(grep -E '^E:' "$context.log" | head -1); see $context.log"
printf 'FROM scratch\nADD root.tar /\n' >"$context/Containerfile"
