#!/usr/bin/env bash
# Stages cassandra-stress. Usage: stage.sh FOLDER, which becomes the image's root
# Version 3.11.5 is the last distribution with cassandra-stress in Maven's repository. It works with every 3.11 server.
set -euo pipefail
# shellcheck source=images/sha256.sh
. "$(dirname "$0")/../sha256.sh"
root=$(cd "${1:?usage: stage.sh FOLDER}" && pwd)
cd "$(dirname "$0")/../.."

archive=apache-cassandra-3.11.5-bin.tar.gz
want=a765adcaa42a6c881f5e79d030854d082900992cc11da40eee413bb235970a6a
downloads=build/images/downloads
mkdir -p "$downloads"
check() { echo "$want  $downloads/$archive" | sha256 --check --status 2>/dev/null; }
if ! check; then
	mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy -Dartifact=org.apache.cassandra:apache-cassandra:3.11.5:tar.gz:bin \
		-DoutputDirectory="$PWD/$downloads" -Dmdep.useBaseVersion=true
	check || { echo "images/stress: check $archive: it has another checksum than stage.sh states; remove $downloads and try again" >&2; exit 1; }
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tar -xzf "$downloads/$archive" -C "$scratch" --strip-components=1
rm -rf "$root/opt"
mkdir -p "$root/opt/stress/lib" "$root/opt/stress/tools/lib"
cp "$scratch"/lib/*.jar "$root/opt/stress/lib/"
cp "$scratch"/tools/lib/*.jar "$root/opt/stress/tools/lib/"
cp "$scratch"/{LICENSE,NOTICE}.txt "$root/opt/stress/"
