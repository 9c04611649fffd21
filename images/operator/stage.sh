#!/usr/bin/env bash
# Stages operator, meter, fault helper, charts and the order schemas of the load generators. Usage: stage.sh FOLDER
set -euo pipefail
context=$(realpath "${1:?usage: stage.sh FOLDER}")
cd "$(dirname "$0")/../.."

export CGO_ENABLED=0
go build -trimpath -buildvcs=false -ldflags '-s -w' -o "$context/" ./operators/cmd/operator ./operators/cmd/meter ./operators/cmd/fault
rm -rf "$context/charts" && mkdir "$context/charts"
# The operator installs only stores: charts with the annotation ringside.dev/kind: store.
grep -l 'ringside.dev/kind: store' charts/*/Chart.yaml | while read -r chart; do
	cp -R "$(dirname "$chart")" "$context/charts/"
done
find "$context/charts" -name '*_test.go' -delete
rm -rf "$context/loads"
for schema in images/*/orders.schema.json; do
	install -D -m 644 "$schema" "$context/loads/$(basename "$(dirname "$schema")")/orders.schema.json"
done
