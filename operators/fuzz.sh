#!/usr/bin/env bash
# Runs each fuzz test of the Go code for FUZZTIME (60s by default), one after the other. A failing input is kept in the package's testdata/fuzz
# and runs with the ordinary tests from then on.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${FUZZTIME:-60s}
grep -rlE '^func Fuzz[A-Z]' --include='*_test.go' operators | xargs -n1 dirname | sort -u | while read -r package; do
	grep -hoE '^func Fuzz[A-Za-z]+' "$package"/*_test.go | cut -d' ' -f2 | sort | while read -r name; do
		echo "$package $name for $time"
		go test "./$package" -run '^$' -fuzz "^$name\$" -fuzztime "$time" </dev/null
	done
done
