#!/usr/bin/env bash
# Builds what a release has apart from the command into build/release: notes, images, charts, bills of materials. Usage: release/stage.sh VERSION
# Images go into archives, or with PUSH=yes to REGISTRY. PLATFORMS lists their platforms, separated by commas.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: release/stage.sh VERSION} registry=${REGISTRY:?set REGISTRY to the registry of images and charts}
bin=build/bin staged=build/release

rm -rf "$staged"
mkdir -p "$staged"/{charts,images,sbom}
build=(build --without-public --registry "$registry")
if [[ ${PUSH:-} ]]; then build+=(--push); fi
release/notes.sh "$version" >"$staged/notes.md"

cluster/step.sh "building images" $bin/ringside-images "${build[@]}"
$bin/ringside-images values operator --without-public >"$staged/images.json"
$bin/ringside-release charts "$version" --images "$staged/images.json" --into "$staged/charts" --overlay "$staged/overlay.json" >"$staged/images.txt"

if [[ ${PUSH:-} ]]; then
  mapfile -t images <"$staged/images.txt"
else
  mapfile -t images < <($bin/ringside-images archives --without-public)
  ln "${images[@]}" "$staged/images/"
fi
cluster/step.sh "writing bills of materials" images/sbom/write.sh "$staged/sbom" "${images[@]}"
