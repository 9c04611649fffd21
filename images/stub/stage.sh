#!/usr/bin/env bash
# Stages the JMX exporter. Usage: stage.sh FOLDER, which becomes the image's root
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=images/sha256.sh
. "$here/../sha256.sh"
mkdir -p "${1:?usage: stage.sh FOLDER}/opt/stub"
cd "$1/opt/stub"

exporter=jmx_prometheus_javaagent-1.0.1.jar
# Must be the same file that the cassandra image pins.
check() { grep " $exporter\$" "$here/../cassandra/jars.sha256" | sha256 --check --status 2>/dev/null; }
if ! check; then
	mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy \
		-Dartifact=io.prometheus.jmx:jmx_prometheus_javaagent:1.0.1 -DoutputDirectory="$PWD"
	check || { echo "images/stub: check $exporter: it differs from cassandra/jars.sha256; if the change is wanted, update that file" >&2; exit 1; }
fi
