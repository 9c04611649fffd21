#!/usr/bin/env bash
# Runs make experiment, make test and, as root, make test-e2e as on a new machine: from a clean clone of HEAD and with an empty HOME, so without
# cached modules, jars, compiled packages and test results. Packages that apt installed stay.
# Usage: cluster/test-fresh.sh [VARIABLE=value...], with variables for make experiment
#
# HOME gets this user's settings of Go's and Maven's registries, if any, but not their caches.
set -euo pipefail
cd "$(dirname "$0")/.."
log=$PWD/build/test-fresh.log
free=$(($(df --output=avail -k "${TMPDIR:-/tmp}" | tail -n 1) >> 20))
((free >= 30)) || { echo "test-fresh: it needs 30 GiB in ${TMPDIR:-/tmp}, and $free are free; free some, or set TMPDIR to a folder with more" >&2; exit 2; }
work=$(mktemp -d)
clone=$work/ringside home=$work/home running=
mkdir -p build "$home/.m2" "$home/.config/go"
[[ -z $(git status --porcelain) ]] || echo "test-fresh: uncommitted changes are not tested"

for settings in .m2/settings.xml .m2/settings-security.xml .config/go/env; do
  if [[ -f $HOME/$settings ]]; then cp "$HOME/$settings" "$home/$settings"; fi
done
environment=(HOME="$home" PATH="$PATH" LANG=C.UTF-8)
for name in GOPROXY GOSUMDB GONOSUMDB GOPRIVATE GOINSECURE GOFLAGS GOTOOLCHAIN MAVEN_OPTS JAVA_HOME HOST_IGNORE \
  http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR; do
  if [[ -n ${!name:-} ]]; then environment+=("$name=${!name}"); fi
done
fresh() { env -i "${environment[@]}" "$@" </dev/null; }

leave() {
  code=$?
  trap - EXIT
  if [[ -d $clone ]] && ! fresh make -C "$clone" cluster-down >>"$log" 2>&1; then
    echo "test-fresh: stop the cluster: it failed; run: make -C $clone cluster-down; log: $log" >&2
    exit 1
  fi
  ((code == 0)) || { [[ ! -d $clone/build/log ]] || cp -r "$clone/build/log" build/test-fresh-log; echo "test-fresh: failed; log: $log" >&2; }
  chmod -R u+w "$work" # Go's module cache is read-only
  rm -rf "$work"
  exit $code
}
trap leave EXIT
interrupted() {
  [[ -z $running ]] || { kill -TERM -- "-$running" && wait "$running"; } || true
  exit 130
}
trap interrupted INT TERM

# part NAME COMMAND...
part() {
  local name=$1 start=$SECONDS
  shift
  echo "=== $name" | tee -a "$log"
  # Runs in its own session in the background, because a shell handles a signal only after its foreground command has ended.
  env -i "${environment[@]}" setsid "$@" </dev/null >>"$log" 2>&1 &
  running=$!
  wait "$running" || { tail -n 20 "$log" >&2; return 1; }
  running=
  printf '%3d min %02d s  %s\n' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)) "$name"
}

: >"$log"
echo "test-fresh: a clean clone of $(git rev-parse --short HEAD) in $clone; log: $log"
git clone -q --no-hardlinks . "$clone"
git -C "$clone" checkout -q --detach "$(git rev-parse HEAD)"
part "make experiment SERVER=disruptor $*" make -C "$clone" experiment SERVER=disruptor "$@"
echo "lines before the load began: $(sed -nE '2,/^[0-9:]+ .* writes on /p' "$log" | wc -l)"
part "make test" make -C "$clone" test
((EUID != 0)) || part "make test-e2e" make -C "$clone" test-e2e
part "make cluster-down" make -C "$clone" cluster-down
