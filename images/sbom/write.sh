#!/usr/bin/env bash
# Writes what is in image archives, as Syft finds it (Debian packages, jars, Go modules, versions, licences, digests), into build/sbom:
# CycloneDX, one file an image. images/sbom/write.sh ARCHIVE...
set -euo pipefail
cd "$(dirname "$0")/../.."
export SYFT_CHECK_FOR_APP_UPDATE=false # it asks nobody on the network
mkdir -p build/sbom
for archive in "$@"; do
  into=build/sbom/$(basename "$archive" .tar).cdx.json
  build/bin/syft scan --quiet "docker-archive:$archive" --output "cyclonedx-json=$into"
  echo "$into"
done
