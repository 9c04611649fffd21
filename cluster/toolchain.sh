#!/usr/bin/env bash
# Installs the build tools that this machine lacks: Go, a JDK, Maven, git. Usage: cluster/toolchain.sh [lint|tests]
# With "lint", also shellcheck. With "tests", also a browser for the tests of the report, which are skipped without one.
# Debian's Go may be too old. Any Go can fetch the pinned toolchain as a checksummed module, which is copied to build/toolchain/go.
set -euo pipefail
cd "$(dirname "$0")/.."

want_go=$(sed -n 's/^toolchain go//p' go.mod)
packages=()
have() { command -v "$1" >/dev/null 2>&1; }
have javac || packages+=(openjdk-17-jdk-headless)
have mvn || packages+=(maven)
have git || packages+=(git)
have go || packages+=(golang-go)
if [[ ${1:-} == lint ]]; then have shellcheck || packages+=(shellcheck); fi
if [[ ${1:-} == tests ]] && ((EUID == 0)); then have chromium || packages+=(chromium); fi

if ((${#packages[@]})); then
  if ((EUID != 0)); then
    echo "ringside: install ${packages[*]}: this needs root; run make as root, or install them yourself" >&2
    exit 1
  fi
  echo "ringside: installing ${packages[*]}"
  export DEBIAN_FRONTEND=noninteractive
  log=$(mktemp)
  if ! { apt-get update && apt-get install -y --no-install-recommends --no-remove "${packages[@]}"; } >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    echo "ringside: install ${packages[*]}: apt-get failed (log: $log); check the machine's apt sources" >&2
    exit 1
  fi
  rm -f "$log"
fi

newest() { printf '%s\n' "$1" "$2" | sort -V | tail -n 1; }
have_go=$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null || go version | cut -d' ' -f3)
have_go=${have_go#go}
if [[ $(newest "$have_go" 1.21) == "$have_go" ]]; then
  exit 0 # this Go fetches the pinned toolchain by itself
fi
root=$PWD/build/toolchain/go
if [[ ! -x $root/bin/go ]]; then
  echo "ringside: fetching Go $want_go with Go $have_go"
  arch=$(dpkg --print-architecture)
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  # a separate module, because the old Go cannot read the project's go.mod
  (cd "$scratch" && GO111MODULE=on GOFLAGS=-mod=mod go mod init scratch >/dev/null 2>&1)
  dir=$(cd "$scratch" && go mod download -json "golang.org/toolchain@v0.0.1-go$want_go.linux-$arch" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",$/\1/p')
  mkdir -p "$(dirname "$root")"
  rm -rf "$root.tmp" # left by an interrupted copy; a new copy would land inside it
  cp -r "$dir" "$root.tmp"
  chmod -R u+w "$root.tmp"
  chmod +x "$root.tmp"/bin/* "$root.tmp"/pkg/tool/*/* # module archives carry no execute bits
  mv "$root.tmp" "$root"
fi
