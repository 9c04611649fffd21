#!/usr/bin/env bash
# Publishes a release: images and charts to REGISTRY, signed, then the files of the release. Usage: release/publish.sh VERSION
# Needs a clean checkout of the tag, a login to the registry, GITHUB_TOKEN, and cosign with an identity (OpenID Connect). A second call after a
# failure pushes the same content again.
set -euo pipefail
cd "$(dirname "$0")/.."
export VERSION=${1:?usage: release/publish.sh VERSION} REGISTRY=${REGISTRY:?set REGISTRY to the registry of images and charts}
export REGISTRY=${REGISTRY,,} PUSH=yes PLATFORMS=${PLATFORMS:-linux/amd64,linux/arm64} # names in registries are lower case
. release/variables.sh
release/check.sh "$VERSION"
release/stage.sh "$VERSION"
staged=build/release
build/bin/ringside-release push --below "$REGISTRY/charts" "$staged"/charts/*.tgz >"$staged/charts.txt"

while read -r reference; do cosign sign --yes "$reference"; done < <(cat "$staged/images.txt" "$staged/charts.txt")
while read -r reference; do
  name=${reference%@*} name=${name##*/ringside-}
  for bill in "$staged/sbom/$name"-linux-*.cdx.json; do cosign attest --yes --type cyclonedx --predicate "$bill" "$reference"; done
done <"$staged/images.txt"

build/bin/goreleaser release --clean --release-notes "$staged/notes.md"
# What the workflow attests the provenance of: files, images, charts, as <digest>  <name>.
{ cat build/dist/checksums.txt; sed -E 's/^(.*)@sha256:(.*)$/\2  \1/' "$staged/images.txt" "$staged/charts.txt"; } >build/dist/subjects.txt
