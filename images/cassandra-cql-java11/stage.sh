#!/usr/bin/env bash
# Stages the same files as the image cassandra-cql. Usage: stage.sh FOLDER, which becomes the image's root
set -euo pipefail
exec "$(dirname "$0")/../cassandra-cql/stage.sh" "$@"
