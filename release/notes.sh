#!/usr/bin/env bash
# Prints the notes of a release: its section of the changelog, else the unreleased changes. Usage: release/notes.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
section() { awk -v heading="## [$1]" '/^## \[/{on = index($0, heading) == 1; next} on' CHANGELOG.md; }
notes=$(section "${1:?usage: release/notes.sh VERSION}")
echo "${notes:-$(section Unreleased)}"
