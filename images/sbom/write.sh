#!/usr/bin/env bash
# Writes CycloneDX SBOMs of image archives to build/sbom, one file per image, with Syft. They list Debian packages, jars and Go modules with
# versions, licences and digests. Usage: images/sbom/write.sh ARCHIVE...
set -euo pipefail
cd "$(dirname "$0")/../.."
export SYFT_CHECK_FOR_APP_UPDATE=false # no network access
mkdir -p build/sbom
for archive in "$@"; do
  into=build/sbom/$(basename "$archive" .tar).cdx.json
  build/bin/syft scan --quiet "docker-archive:$archive" --output "cyclonedx-json=$into"
  echo "$into"
done
