#!/usr/bin/env bash
# Stages the HTTP load generator and /load. Usage: stage.sh FOLDER
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
here=$(cd "$(dirname "$0")" && pwd)
"$here/../jar.sh" http-load ringside-http-load.jar "$context"
install -m 755 "$here/load" "$context/load"
touch "$context/load.waits" # several pods of this image can start together
