#!/usr/bin/env bash
# Prints the name of the first image in an archive of docker save or podman save. Usage: cluster/image-reference.sh ARCHIVE
set -euo pipefail
archive=${1:?usage: image-reference.sh ARCHIVE}
reference=$(tar -xOf "$archive" manifest.json | grep -o '"RepoTags": *\["[^"]*' | head -n 1 | cut -d'"' -f4) || true
[[ -n $reference ]] || {
  echo "ringside: read $archive: it names no image; create it with: docker save <image>:<tag> -o $archive" >&2
  exit 1
}
echo "$reference"
