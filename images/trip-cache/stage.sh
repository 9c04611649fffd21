#!/usr/bin/env bash
# Stages the store. Usage: stage.sh FOLDER
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
here=$(cd "$(dirname "$0")" && pwd)
"$here/../jar.sh" trip-cache ringside-trip-cache.jar "$context"
sha256sum <"$context/ringside-trip-cache.jar" | cut -d' ' -f1 >"$context/../plugin.sha256" # a proof must contain it
