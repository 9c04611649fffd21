#!/usr/bin/env bash
# Stages the charts of the stores and the order schemas of the load generators. Usage: stage.sh FOLDER, which becomes the image's root
set -euo pipefail
root=$(cd "${1:?usage: stage.sh FOLDER}" && pwd)
cd "$(dirname "$0")/../.."

rm -rf "$root/charts" "$root/loads"
mkdir "$root/charts"
# The operator installs only stores: charts with the annotation ringside.dev/kind: store.
grep -l 'ringside.dev/kind: store' charts/*/Chart.yaml | while read -r chart; do
	cp -RL "$(dirname "$chart")" "$root/charts/" # -L: with the library, to which the chart has a link
done
find "$root/charts" -name '*_test.go' -delete
for schema in images/*/orders.schema.json; do
	into=$root/loads/$(basename "$(dirname "$schema")")
	mkdir -p "$into"
	cp "$schema" "$into/"
done
