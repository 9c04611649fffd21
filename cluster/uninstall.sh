#!/usr/bin/env bash
# Removes the Debian packages that Ringside installed on this machine, and build/. Lists what stays. Usage: cluster/uninstall.sh
set -euo pipefail
cd "$(dirname "$0")/.."

# Every embedded cluster has a folder there, also one that another clone started.
for cluster in "${RINGSIDE_HOST:-}"/run/ringside-cluster/*/; do
  [[ -d $cluster ]] || continue
  cluster=$(basename "$cluster")
  echo "ringside: uninstall: the embedded cluster $cluster is not down; run make cluster-down in its clone, with INSTANCE=$cluster if it is not named ringside" >&2
  exit 1
done

modules='' cache=''
# Before the packages, which may include Go. GOTOOLCHAIN=local: to fetch another Go now would be wrong.
if command -v go >/dev/null; then modules=$(GOTOOLCHAIN=local go env GOMODCACHE) cache=$(GOTOOLCHAIN=local go env GOCACHE); fi
cluster/internal/packages/apt.sh uninstall
rm -rf build
echo "ringside: removed build/; this stays:"
stays() { [[ ! -e $1 ]] || printf '  %s  %s\n' "$1" "$2"; }
stays results "exported runs; remove it yourself"
stays "${modules:-$HOME/go/pkg/mod}" "Go modules of all your projects; go clean -modcache, or chmod -R u+w and rm -rf"
stays "${cache:-$HOME/.cache/go-build}" "compiled Go packages of all your projects; rm -rf"
stays "$HOME/.m2/repository" "jars of all your Java projects; rm -rf"
echo "  configuration files of removed packages; dpkg --list lists them as rc, apt-get purge <package> removes them"
echo "  packages that were there before, and modules that the kernel has loaded"
