#!/usr/bin/env bash
# Stages YCSB and /load. Usage: stage.sh FOLDER
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
here=$(cd "$(dirname "$0")" && pwd)
"$here/../jar.sh" ycsb ringside-ycsb.jar "$context"
install -m 755 "$here/load" "$context/load"
# Marks that several pods of this image can start together: each connects, then waits for the start.
: >"$context/load.waits"
