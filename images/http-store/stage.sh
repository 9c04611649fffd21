#!/usr/bin/env bash
# Stages the store. Usage: stage.sh FOLDER
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
here=$(cd "$(dirname "$0")" && pwd)
"$here/../jar.sh" http-store ringside-http-store.jar "$context"
sha256sum <"$context/ringside-http-store.jar" | cut -d' ' -f1 >"$context/../plugin.sha256" # a proof must contain it
