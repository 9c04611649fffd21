#!/usr/bin/env bash
# Runs make targets at the same time: cluster/together.sh [--steps] TARGET...
# The output of each goes to build/log, and is printed if the target fails. All run to their end, so that one run shows every failure.
#   --steps  the targets are steps of one job: they print themselves, and the first that fails ends the others
set -euo pipefail
mkdir -p build/log
declare -A running
end() {
  for pid in "${!running[@]}"; do kill -TERM -- "-$pid" 2>/dev/null || true; done
  wait
}
trap 'end; exit 130' INT TERM
steps=
if [[ ${1:-} == --steps ]]; then
  steps=yes
  shift
fi
for target; do
  # In its own session, so that a signal reaches all of its processes.
  if [[ $steps ]]; then
    setsid make "$target" </dev/null &
  else
    setsid make "$target" >"build/log/$target.log" 2>&1 </dev/null &
    echo "ringside: make $target: log in build/log/$target.log"
  fi
  running[$!]=$target
done
failed=()
while ((${#running[@]})); do
  code=0
  wait -n -p ended "${!running[@]}" || code=$?
  target=${running[$ended]}
  unset "running[$ended]"
  if [[ $steps ]]; then
    ((code == 0)) || { end; exit 1; }
    continue
  fi
  ((code == 0)) || { failed+=("$target"); cat "build/log/$target.log"; }
  echo "ringside: make $target: $( ((code == 0)) && echo passed || echo "failed with exit code $code")"
done
((${#failed[@]} == 0)) || { echo "ringside: failed: ${failed[*]}" >&2; exit 1; }
