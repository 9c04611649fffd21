#!/usr/bin/env bash
# Writes CycloneDX SBOMs of images, one file per image and platform, with Syft. They list Debian packages, jars and Go modules with versions,
# licences and digests. Usage: images/sbom/write.sh FOLDER IMAGE...
# An image is an archive, or the reference of an image in a registry. PLATFORMS lists platforms, separated by commas; empty: the image's only one.
set -euo pipefail
into=$(realpath -m "${1:?usage: images/sbom/write.sh FOLDER IMAGE...}")
shift
cd "$(dirname "$0")/../.."
export SYFT_CHECK_FOR_APP_UPDATE=false # no network access
mkdir -p "$into"
for image in "$@"; do
  name=${image##*/} from=registry
  if [[ -f $image ]]; then
    name=${name%.tar} from=docker-archive
    if tar -tf "$image" oci-layout >/dev/null 2>&1; then from=oci-archive; fi
  else
    name=${name%@*} name=${name#ringside-}
  fi
  IFS=, read -ra platforms <<<"${PLATFORMS:-}"
  for platform in "${platforms[@]:-}"; do
    bill=$into/$name${platform:+-${platform//\//-}}.cdx.json
    build/bin/syft scan --quiet "$from:$image" ${platform:+--platform "$platform"} --output "cyclonedx-json=$bill"
    echo "$bill"
  done
done
