#!/usr/bin/env bash
# Builds a Go tool that shares no libraries with Ringside, in a module that is written here. Unlike go install, this needs no network if the module
# cache has the tool, and takes tools with replace directives. Usage: cluster/tool.sh PROGRAM MODULE@VERSION [PACKAGE]
set -euo pipefail
program=$(realpath -m "${1:?usage: cluster/tool.sh PROGRAM MODULE@VERSION [PACKAGE]}") module=${2%@*} version=${2#*@}
folder=$(cd "$(dirname "$0")/.." && pwd)/build/tools/$(basename "$program")
rm -rf "$folder"
mkdir -p "$folder"
printf 'module tool\ngo 1.26\nrequire %s %s\n' "$module" "$version" >"$folder/go.mod"
cd "$folder"
go build -mod=mod -ldflags "-s -w" -o "$program" "$module${3:+/$3}"
