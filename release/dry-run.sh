#!/usr/bin/env bash
# Builds all artefacts of a release into build/dist and publishes nothing. Usage: release/dry-run.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
export VERSION=${1:?usage: release/dry-run.sh VERSION} REGISTRY=${REGISTRY:-localhost:5000/ringside}
. release/variables.sh
release/stage.sh "$VERSION"
cluster/step.sh "building the command" build/bin/goreleaser release --clean --snapshot --skip=sign --release-notes build/release/notes.md
cp -R build/release/. build/dist/
cluster/step.sh "building the Thrift server library" images/thrift-servers/publish build/dist/maven
cluster/step.sh "testing its bundle for Maven Central" images/thrift-servers/bundle-test build/dist/maven
echo "ringside: release $VERSION is in build/dist, and nothing was published"
