#!/usr/bin/env bash
# Runs one step of a longer job. Usage: cluster/step.sh NAME COMMAND...
# The command's output goes to build/log/NAME.log. If the command fails, the end of the log and its path are printed. A step of more than a
# second prints a line with its time at the end. Meanwhile a terminal shows the last line of output, or the names of the steps that run in
# parallel. Without a terminal, a line is printed after two minutes, four, eight, and so on.
set -euo pipefail
name=$1
shift
log=build/log/${name//[^a-zA-Z0-9]/-}.log
running=build/log/running # a file for each running step: its process id, with its name
mkdir -p "$running"
terminal=
period=120
if [[ -t 1 ]]; then terminal=yes period=1; fi

# end_of_log LINES: prints the end of the log without colours.
end_of_log() { tail -n "$1" "$log" | sed 's/\x1b\[[0-9;]*[A-Za-z]//g'; }
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
  # Waits by reading from a pipe that nobody writes to. A sleep would be a process that can outlive this one.
  while read -rt $period -u 3 || kill -0 $$; do
    last=$(end_of_log 1 | tr -cd '[:print:]')
    if [[ $terminal ]]; then
      names=$(parallel)
      if [[ $names == "$name" ]]; then names+=": ${last:0:60}"; fi
      if [[ $names ]]; then printf '\r\e[K%s %s' "$(elapsed)" "$names"; fi
    else
      echo "$(elapsed) $name: ${last:0:100}"
      period=$SECONDS
    fi
  done
}
: >"$log"
echo "$name" >"$running/$$"
trap 'rm -f "$running/$$"' EXIT
exec 3<> <(:)
watch &
stopped=
trap 'stopped=yes; kill %1 2>/dev/null || true' INT TERM
code=0
"$@" >"$log" 2>&1 3<&- || code=$?
kill %1 2>/dev/null || true
wait %1 2>/dev/null || true
# Erased with the text that follows in one piece, because a step in parallel draws the same line.
erase=${terminal:+$'\r\e[K'}
if [[ $stopped ]] && ((code)); then
  echo "${erase}ringside: $name: stopped" >&2
elif ((code)); then
  printf '%s' "$erase"
  end_of_log 20 >&2
  echo "ringside: $name: it failed; its whole output is in $log" >&2
elif ((SECONDS > 1)); then
  echo "$erase$(elapsed) $name"
else
  printf '%s' "$erase"
fi
exit $code
