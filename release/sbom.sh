#!/usr/bin/env bash
# Writes a reproducible bill of materials of an archive of the command. GoReleaser runs it in build/dist. Usage: release/sbom.sh ARCHIVE BILL
set -euo pipefail
root=$(realpath "$(dirname "$0")/..") bill=$(realpath -m "$2")
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH SYFT_CHECK_FOR_APP_UPDATE=false
cd "$(dirname "$1")" # the bill contains the path
"$root/build/bin/syft" scan --quiet "file:${1##*/}" --output "cyclonedx-json=$bill"
"$root/build/bin/ringside-release" sbom "$bill"
