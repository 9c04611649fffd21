#!/usr/bin/env bash
# Runs one part of the tests and records its time: cluster/timed.sh NAME COMMAND...
# Prints the recorded times: cluster/timed.sh --report
set -euo pipefail
notes=$(dirname "$0")/../build/test-times.txt
if [[ $1 == --report ]]; then
  echo "time of each part:"
  sed 's/^/  /' "$notes"
  rm -f "$notes"
  exit 0
fi
name=$1
shift
mkdir -p "$(dirname "$notes")"
start=$SECONDS
echo "=== $name"
"$@"
printf '%3d min %02d s  %s\n' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)) "$name" >>"$notes"
