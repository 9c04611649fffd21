#!/usr/bin/env bash
# Stages the load of points and /load into the folder given.
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
here=$(cd "$(dirname "$0")" && pwd)
"$here/../jar.sh" gps-load ringside-gps-load.jar "$context"
install -m 755 "$here/load" "$context/load"
# Several pods of this load begin together: it connects, and waits for its start.
: >"$context/load.waits"
