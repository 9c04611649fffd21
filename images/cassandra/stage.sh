#!/usr/bin/env bash
# Stages Cassandra, the plugin and ringside-node. Usage: stage.sh FOLDER
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."

CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '-s -w' -o "$context/ringside-node" ./images/cassandra/node
mkdir -p "$context/cassandra/lib" "$context/cassandra/conf"
install -m 755 "$here/nodetool" "$context/nodetool"
install -m 644 "$here/logback.xml" "$here/hotspot_compiler" "$context/cassandra/conf/"

# jars.sha256 pins every jar. An additional jar, or one with other content, fails the build.
check() (cd "$context/cassandra/lib" && sha256sum --check --status "$here/jars.sha256" 2>/dev/null)
if ! check; then
	rm -f "$context"/cassandra/lib/*.jar
	mvn -q -B -f "$here/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies \
		-DincludeScope=runtime -DoutputDirectory="$context/cassandra/lib"
	check || { echo "images/cassandra: check the jars: one differs from jars.sha256; if the change is wanted, update jars.sha256" >&2; exit 1; }
fi

# The plugin is rebuilt only if its sources changed, so that a repeat takes seconds. PLUGIN_JAR is a jar that was built elsewhere.
jar=${PLUGIN_JAR:-images/cassandra/plugin/target/ringside-cassandra-plugin.jar}
stamp=build/images/plugin.sources
sources=$(find images/pom.xml images/store-contract images/server-types images/thrift-servers images/cassandra/plugin \( -name target -o -path '*/src/test' \) -prune -o -type f -print0 |
	sort -z | xargs -0 sha256sum | sha256sum)
if [ -n "${PLUGIN_JAR:-}" ]; then
	: # used as it is
elif [ ! -f "$jar" ] || [ "$sources $(sha256sum <"$jar")" != "$(cat "$stamp" 2>/dev/null)" ]; then
	mvn -q -B -f images/pom.xml -pl cassandra/plugin -am package -DskipTests
	echo "$sources $(sha256sum <"$jar")" >"$stamp"
fi
install -m 644 "$jar" "$context/cassandra/lib/"
sha256sum <"$jar" | cut -d' ' -f1 >"$context/../plugin.sha256" # a proof must contain it
extra=$(cd "$context/cassandra/lib" && comm -23 <(printf '%s\n' *.jar | sort) <({ awk '{print $2}' "$here/jars.sha256"; basename "$jar"; } | sort))
[ -z "$extra" ] || { echo "images/cassandra: check the jars: $extra is not in jars.sha256; if the change is wanted, add it there" >&2; exit 1; }
