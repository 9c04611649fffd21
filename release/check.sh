#!/usr/bin/env bash
# Verifies that charts, Maven modules and changelog have the version of a release: to prepare it changes nothing. Usage: release/check.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: release/check.sh VERSION}
git diff --quiet HEAD || { echo "ringside: check release $version: the checkout has changes; commit them" >&2; exit 1; }
release/prepare.sh "$version"
git diff --exit-code || { git checkout --quiet .; echo "ringside: check release $version: these parts lack it; run make release-prepare VERSION=$version and commit" >&2; exit 1; }
