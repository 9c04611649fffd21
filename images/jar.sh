#!/usr/bin/env bash
# Builds one jar of the Maven reactor and copies it. Usage: images/jar.sh MODULE JAR FOLDER
# It is rebuilt only if the sources of a module that may be part of an image changed, so that a repeat takes seconds.
set -euo pipefail
module=${1:?usage: jar.sh MODULE JAR FOLDER} name=$2 folder=$(realpath "$3")
cd "$(dirname "$0")/.."

jar=images/$module/target/$name
stamp=build/images/$name.sources
sources=$(find -L images \( -name target -o -path '*/src/test' -o -path images/bench-servers \) -prune -o \( -name '*.java' -o -name pom.xml \) -type f -print0 |
	sort -z | xargs -0 sha256sum | sha256sum)
if [ ! -f "$jar" ] || [ "$sources $(sha256sum <"$jar")" != "$(cat "$stamp" 2>/dev/null)" ]; then
	mvn -q -B -f images/pom.xml -pl "$module" -am package -DskipTests
	mkdir -p "$(dirname "$stamp")"
	echo "$sources $(sha256sum <"$jar")" >"$stamp"
fi
install -D -m 644 "$jar" "$folder/$name"
