#!/usr/bin/env bash
# Stages the UDP server. Usage: stage.sh FOLDER
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
"$(dirname "$0")/../jar.sh" udp-echo ringside-udp-echo.jar "$context"
sha256sum <"$context/ringside-udp-echo.jar" | cut -d' ' -f1 >"$context/../plugin.sha256" # a proof must contain it
