#!/usr/bin/env bash
# Runs one step of a longer job. Usage: cluster/step.sh [--about TIME] NAME COMMAND...
# The command's output goes to build/log/NAME.log. If the command fails, the end of the log and its path are printed. At its end, a step of more
# than five seconds prints a line with its time, and each step the lines of its log that begin with "note: ". Meanwhile a terminal shows the last
# line of output, or the names of the steps that run in parallel. Without a terminal, a line is printed after two minutes, four, eight, and so on.
#   --about  how long the step takes the first time, on two cores
#
# Bash 3.2, which macOS has, runs this.
set -euo pipefail
about=
if [[ $1 == --about ]]; then
  about=" (about $2)"
  shift 2
fi
name=$1
shift
log=build/log/${name//[^a-zA-Z0-9]/-}.log
running=build/log/running # a file for each running step: its process id, with what the terminal shows of it
mkdir -p "$running"
terminal=
if [[ -t 1 ]]; then terminal=yes; fi

# end_of_log LINES: prints the end of the log without colours.
end_of_log() { tail -n "$1" "$log" | sed $'s/\x1b\\[[0-9;]*[A-Za-z]//g'; }
# parallel: prints the names of the steps that run, if this one is the first of them. Only the first draws the terminal's line.
parallel() {
  local mark names=""
  for mark in "$running"/*; do
    kill -0 "${mark##*/}" 2>/dev/null || continue # a step that was killed left it
    [[ $names || ${mark##*/} == "$$" ]] || return 0
    names+=${names:+, }$(cat "$mark" 2>/dev/null) || true
  done
  echo "$names"
}
elapsed() { printf '[%2d:%02d]' $((SECONDS / 60)) $((SECONDS % 60)); }
watch() {
  local names last next=120
  # A sleep outlives this process by a second at most.
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    last=$(end_of_log 1 | tr -cd '[:print:]')
    if [[ $terminal ]]; then
      names=$(parallel)
      if [[ $names == "$name$about" && $last ]]; then names+=": $last"; fi
      # A line that the terminal wraps could not be erased.
      if [[ $names ]]; then printf '\r\e[K%.79s' "$(elapsed) $names"; fi
    elif ((SECONDS >= next)); then
      echo "$(elapsed) $name$about${last:+: ${last:0:80}}"
      next=$((2 * SECONDS))
    fi
  done
}
: >"$log"
echo "$name$about" >"$running/$$"
trap 'rm -f "$running/$$"' EXIT
watch &
watcher=$!
stopped=
trap 'stopped=yes; kill $watcher 2>/dev/null || true' INT TERM
code=0
"$@" >"$log" 2>&1 || code=$?
kill $watcher 2>/dev/null || true
wait $watcher 2>/dev/null || true
# Erased with the text that follows in one piece, because a step in parallel draws the same line.
erase=${terminal:+$'\r\e[K'}
if [[ $stopped ]] && ((code)); then
  echo "${erase}ringside: $name: stopped" >&2
elif ((code)); then
  printf '%s' "$erase"
  end_of_log 20 >&2
  echo "ringside: $name: it failed; its whole output is in $log" >&2
else
  ((SECONDS < 5)) || echo "$erase$(elapsed) $name"
  printf '%s' "$erase"
  sed -nE 's/^(\[ *[0-9.]+s\] )?note: /        note: /p' "$log"
fi
exit $code
