#!/usr/bin/env bash
# Stages the stub and the JMX exporter. Usage: stage.sh FOLDER
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
here=$(cd "$(dirname "$0")" && pwd)
"$here/../jar.sh" stub ringside-stub.jar "$context/lib"
sha256sum <"$context/lib/ringside-stub.jar" | cut -d' ' -f1 >"$context/../plugin.sha256" # a proof must contain it

exporter=jmx_prometheus_javaagent-1.0.1.jar
# Must be the same file that the cassandra image pins.
check() (cd "$context/lib" && grep " $exporter\$" "$here/../cassandra/jars.sha256" | sha256sum --check --status 2>/dev/null)
if ! check; then
	mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy \
		-Dartifact=io.prometheus.jmx:jmx_prometheus_javaagent:1.0.1 -DoutputDirectory="$context/lib"
	check || { echo "images/stub: check $exporter: it differs from cassandra/jars.sha256; if the change is wanted, update that file" >&2; exit 1; }
fi
