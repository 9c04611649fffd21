#!/usr/bin/env bash
# Stages the published jars of both versions of Cassandra, each in /opt/cassandra/VERSION, with the JVM's agents under names without a
# version. Maven verifies the checksums. Usage: stage.sh FOLDER, which becomes the image's root
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:?usage: stage.sh FOLDER}/opt/cassandra"
home=$(cd "$1/opt/cassandra" && pwd)
stamp=$(cd "$1/.." && pwd)/jars.pom

# Fetched again only if a pom.xml changed, so that a repeat takes seconds.
cat "$here/pom.xml" "$here/../pom.xml" | cmp -s - "$stamp" && exit
rm -rf "${home:?}"/* "$stamp"
for property in cassandra41.version cassandra50.version; do
	version=$(sed -nE "s|.*<$property>(.+)</$property>.*|\1|p" "$here/../pom.xml")
	mvn -q -B -f "$here/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies \
		-Dcassandra.version="$version" -DincludeScope=runtime -DoutputDirectory="$home/$version/lib"
	cd "$home/$version"
	cp lib/jamm-*.jar jamm.jar
	mv lib/jmx_prometheus_javaagent-*.jar jmx-exporter.jar
	jar xf lib/cassandra-all-*.jar META-INF/hotspot_compiler # options for the JIT compiler, which Cassandra generates at its build
	mv META-INF/hotspot_compiler . && rmdir META-INF
done
cat "$here/pom.xml" "$here/../pom.xml" >"$stamp"
