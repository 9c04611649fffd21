#!/usr/bin/env bash
# Builds all artefacts of a release twice, compares their checksums, and tests them. Usage: release/test.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: release/test.sh VERSION}
first=$(mktemp)
trap 'rm -f "$first"' EXIT
digests() { (cd build/dist && grep -v '\.cdx\.json$' checksums.txt && cat images.txt && find maven -name '*.jar' -exec sha256sum {} + | sort -k 2); }

release/dry-run.sh "$version"
digests >"$first"
release/dry-run.sh "$version"
diff "$first" <(digests) || { echo "release-test: two dry runs differ, as shown; find what depends on time or order" >&2; exit 1; }
go test -count=1 ./release/internal/dist -dist "$PWD/build/dist" -version "$version"
echo "release-test: two dry runs are equal, and their artefacts are those of version $version"
