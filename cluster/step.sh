#!/usr/bin/env bash
# Runs one step of a longer job: cluster/step.sh NAME COMMAND...
# What the command prints goes to build/log/NAME.log; when it fails, the log is named and its end is shown. A step that takes long
# enough to be noticed gets a line with its time; until then a terminal shows the last thing printed, any other output a line after two
# minutes, four, eight, and so on.
set -euo pipefail
name=$1
shift
log=build/log/${name//[^a-zA-Z0-9]/-}.log
mkdir -p build/log
terminal=
period=120
if [[ -t 1 ]]; then terminal=yes period=1; fi

# What a log ends with, without colours.
end_of_log() { tail -n "$1" "$log" | sed 's/\x1b\[[0-9;]*[A-Za-z]//g'; }
elapsed() { printf '[%2d:%02d]' $((SECONDS / 60)) $((SECONDS % 60)); }
watch() {
  # Reading what nobody writes waits without a process of its own, which would outlive this one.
  while read -rt $period -u 3 || kill -0 $$; do
    last=$(end_of_log 1 | tr -cd '[:print:]')
    if [[ $terminal ]]; then printf '\r\e[K%s %s: %.60s' "$(elapsed)" "$name" "$last"; else
      echo "$(elapsed) $name: ${last:0:100}"
      period=$SECONDS
    fi
  done
}
: >"$log"
exec 3<> <(:)
watch &
trap 'kill %1 2>/dev/null || true' INT TERM
code=0
"$@" >"$log" 2>&1 3<&- || code=$?
kill %1
wait %1 2>/dev/null || true
if [[ $terminal ]]; then printf '\r\e[K'; fi
if ((code)); then
  end_of_log 20 >&2
  echo "ringside: $name failed; all that it printed is in $log" >&2
elif ((SECONDS > 1)); then
  echo "$(elapsed) $name"
fi
exit $code
