#!/usr/bin/env bash
# Stages Kafka's published jars, in the version of pom.xml. Maven verifies their checksums. Usage: stage.sh FOLDER, which becomes the
# image's root
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:?usage: stage.sh FOLDER}/opt/kafka"
libs=$(cd "$1/opt/kafka" && pwd)/libs

# Fetched again only if pom.xml changed, so that a repeat takes seconds.
stamp=$1/../jars.pom
if ! cmp -s "$here/pom.xml" "$stamp" || [ ! -d "$libs" ]; then
	rm -rf "$libs" "$stamp"
	mvn -q -B -f "$here/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies \
		-DincludeScope=runtime -DoutputDirectory="$libs"
	cp "$here/pom.xml" "$stamp"
fi
