#!/usr/bin/env bash
# Stages cassandra-stress and /load. Usage: stage.sh FOLDER
# Version 3.11.5 is the last distribution with cassandra-stress in Maven's repository. It works with every 3.11 server.
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."

CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '-s -w' -o "$context/load" ./images/stress/load

archive=apache-cassandra-3.11.5-bin.tar.gz
want=a765adcaa42a6c881f5e79d030854d082900992cc11da40eee413bb235970a6a
downloads=build/images/downloads
mkdir -p "$downloads"
if ! echo "$want  $downloads/$archive" | sha256sum --check --status 2>/dev/null; then
	mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy -Dartifact=org.apache.cassandra:apache-cassandra:3.11.5:tar.gz:bin \
		-DoutputDirectory="$PWD/$downloads" -Dmdep.useBaseVersion=true
	echo "$want  $downloads/$archive" | sha256sum --check --quiet
fi
rm -rf "$context/stress" && mkdir "$context/stress"
# The first pattern also matches tools/lib/stress.jar.
tar -xzf "$downloads/$archive" -C "$context/stress" --strip-components=1 --wildcards '*/lib/*.jar' '*/LICENSE.txt' '*/NOTICE.txt'
mkdir "$context/stress/conf"
cp "$here/logback.xml" "$context/stress/conf/"
