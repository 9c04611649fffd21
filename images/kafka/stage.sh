#!/usr/bin/env bash
# Stages Kafka's published jars, in the version of pom.xml. Maven verifies their checksums. Usage: stage.sh FOLDER
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
here=$(cd "$(dirname "$0")" && pwd)

# Fetched again only if pom.xml changed, so that a repeat takes seconds.
stamp=$context/../jars.pom
if ! cmp -s "$here/pom.xml" "$stamp" || [ ! -d "$context/libs" ]; then
	rm -rf "$context/libs" "$stamp"
	mvn -q -B -f "$here/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies \
		-DincludeScope=runtime -DoutputDirectory="$context/libs"
	cp "$here/pom.xml" "$stamp"
fi
