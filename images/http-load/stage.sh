#!/usr/bin/env bash
# Stages the HTTP load and /load into the folder given.
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
here=$(cd "$(dirname "$0")" && pwd)
"$here/../jar.sh" http-load ringside-http-load.jar "$context"
install -m 755 "$here/load" "$context/load"
touch "$context/load.waits" # it stands on the load kit, which lets several pods begin together
