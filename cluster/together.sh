#!/usr/bin/env bash
# Runs make targets at the same time: cluster/together.sh [--steps] TARGET...
# The output of each goes to build/log, and is printed if the target fails. All run to their end, so that one run shows every failure.
#   --steps  the targets are steps of one job: they print themselves, and the first that fails ends the others
#
# Bash 3.2, which macOS has, runs this.
set -euo pipefail
set -m # each target has a process group, so that a signal reaches all of its processes
mkdir -p build/log
pids=() targets=() failed=""
end() {
  for pid in "${pids[@]}"; do kill -TERM -- "-$pid" 2>/dev/null || true; done
  wait 2>/dev/null # without the shell's notices of ended jobs
}
trap 'end; exit 130' INT TERM
steps=
if [[ ${1:-} == --steps ]]; then
  steps=yes
  shift
fi
for target; do
  if [[ $steps ]]; then
    make "$target" </dev/null &
  else
    make "$target" >"build/log/$target.log" 2>&1 </dev/null &
    echo "ringside: make $target: log in build/log/$target.log"
  fi
  pids+=($!) targets+=("$target")
done
left=$#
while ((left)); do
  sleep 0.2
  for i in "${!pids[@]}"; do
    if [[ ! ${targets[i]} ]] || kill -0 "${pids[i]}" 2>/dev/null; then continue; fi
    code=0 target=${targets[i]}
    wait "${pids[i]}" || code=$?
    targets[i]='' left=$((left - 1))
    if [[ $steps ]]; then
      ((code == 0)) || { end; exit 1; }
      continue
    fi
    ((code == 0)) || { failed+=" $target"; cat "build/log/$target.log"; }
    echo "ringside: make $target: $( ((code == 0)) && echo passed || echo "failed with exit code $code")"
  done
done
[[ ! $failed ]] || { echo "ringside: failed:$failed" >&2; exit 1; }
