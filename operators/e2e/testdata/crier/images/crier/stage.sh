#!/usr/bin/env bash
set -euo pipefail
cp "$(dirname "$0")/crier.pl" "${1:?usage: stage.sh FOLDER}"
