#!/usr/bin/env bash
# Installs the build tools that this machine lacks: Go, a JDK, Maven, git. Usage: cluster/toolchain.sh [bench] [lint] [tests]
#   bench  also a C compiler, for the load generator of make bench-servers
#   lint   also shellcheck
#   tests  also a browser for the tests of the report, which are skipped without one
# Every module is built with the Go of go.mod's toolchain line. Go fetches that toolchain as a checksummed module. A Go older than 1.21 cannot:
# for it, the toolchain is copied to build/toolchain/go.
set -euo pipefail
cd "$(dirname "$0")/.."

want_go=$(sed -n 's/^toolchain go//p' go.mod)
want_java=17 # the oldest that the Maven build accepts
packages=()
have() { command -v "$1" >/dev/null 2>&1; }
newest() { printf '%s\n' "$1" "$2" | sort -V | tail -n 1; }
at_least() { [[ $(newest "$1" "$2") == "$1" ]]; }
fail() {
  echo "ringside: $*" >&2
  exit 1
}

# java: prints the major version of the JDK that Maven will use; nothing without a JDK.
java() { "${JAVA_HOME:+$JAVA_HOME/bin/}javac" -version 2>&1 | sed -nE 's/^javac (1\.)?([0-9]+).*/\2/p' || true; }

have_java=$(java)
# Java 17 on Debian 12, 21 on Debian 13 and Ubuntu 24.04.
at_least "${have_java:-0}" $want_java || packages+=(default-jdk-headless)
have mvn || packages+=(maven)
have git || packages+=(git)
have go || packages+=(golang-go)
for use in "$@"; do
  case $use in
  # A compiler without the headers of the C library cannot build it either.
  bench) cc -E - <<<'#include <stdio.h>' >/dev/null 2>&1 || { packages+=(gcc); packages+=(libc6-dev); } ;;
  lint) have shellcheck || packages+=(shellcheck) ;;
  tests) if ((EUID == 0)); then have chromium || packages+=(chromium); fi ;;
  *) fail "cluster/toolchain.sh: $use: unknown argument; use bench, lint or tests" ;;
  esac
done

if ((${#packages[@]})); then
  have apt-get || fail "install ${packages[*]}: there is no apt-get; install Go 1.21 or newer, a JDK from $want_java to 25, Maven, git, a C compiler and shellcheck yourself"
  ((EUID == 0)) || fail "install ${packages[*]}: this needs root; run make as root, or install them yourself"
  echo "ringside: installing ${packages[*]}"
  cluster/internal/packages/apt.sh install "${packages[@]}"
fi
have_java=$(java)
at_least "${have_java:-0}" $want_java ||
  fail "find a JDK: ${JAVA_HOME:-javac} is Java ${have_java:-unknown}, and the build needs $want_java or newer; unset JAVA_HOME, or choose another with update-alternatives --config javac"

have_go=$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null || go version | cut -d' ' -f3)
have_go=${have_go#go}
if [[ ${GOTOOLCHAIN:-} == local ]] && ! at_least "$have_go" "$want_go"; then
  fail "find Go $want_go: this is Go $have_go, and GOTOOLCHAIN=local forbids fetching another; unset GOTOOLCHAIN, or install Go $want_go"
fi
if at_least "$have_go" 1.21; then
  text=$(go version 2>&1) || fail "fetch Go $want_go with Go $have_go: $(tail -n 1 <<<"$text"); check GOPROXY and the network, or install Go $want_go"
  have_go=$(sed -nE 's/^go version go([^ ]+).*/\1/p' <<<"$text")
  at_least "$have_go" "$want_go" || fail "find Go $want_go: GOTOOLCHAIN=${GOTOOLCHAIN:-} chooses Go $have_go; unset GOTOOLCHAIN"
  exit 0
fi
root=$PWD/build/toolchain/go
if [[ ! -x $root/bin/go ]]; then
  echo "ringside: fetching Go $want_go with Go $have_go"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  # a separate module, because the old Go cannot read the project's go.mod
  (cd "$scratch" && GO111MODULE=on GOFLAGS=-mod=mod go mod init scratch >/dev/null 2>&1)
  dir=$(cd "$scratch" && go mod download -json "golang.org/toolchain@v0.0.1-go$want_go.linux-$(go env GOARCH)" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",$/\1/p')
  mkdir -p "$(dirname "$root")"
  rm -rf "$root.tmp" # left by an interrupted copy; a new copy would land inside it
  cp -r "$dir" "$root.tmp"
  chmod -R u+w "$root.tmp"
  chmod +x "$root.tmp"/bin/* "$root.tmp"/pkg/tool/*/* # module archives carry no execute bits
  mv "$root.tmp" "$root"
fi
