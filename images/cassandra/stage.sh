#!/usr/bin/env bash
# Stages Cassandra's jars. Usage: stage.sh FOLDER, which becomes the image's root
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=images/sha256.sh
. "$here/../sha256.sh"
mkdir -p "${1:?usage: stage.sh FOLDER}/opt/cassandra/lib"
cd "$1/opt/cassandra/lib"

# jars.sha256 pins every jar. An additional jar, or one with other content, fails the build.
check() { sha256 --check --status "$here/jars.sha256" 2>/dev/null; }
if ! check; then
	rm -f ./*.jar
	mvn -q -B -f "$here/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies \
		-DincludeScope=runtime -DoutputDirectory="$PWD"
	check || { echo "images/cassandra: check the jars: one differs from jars.sha256; if the change is wanted, update jars.sha256" >&2; exit 1; }
fi
extra=$(comm -23 <(printf '%s\n' *.jar | sort) <(awk '{print $2}' "$here/jars.sha256" | sort))
[ -z "$extra" ] || { echo "images/cassandra: check the jars: $extra is not in jars.sha256; if the change is wanted, add it there" >&2; exit 1; }
