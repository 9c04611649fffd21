#!/usr/bin/env bash
# Runs make experiment EXPERIMENT=smoke on other systems, each in a new root file system with nothing but make and git, from a clean clone of
# HEAD. Then takes the cluster down, uninstalls, and verifies that nothing is left. Needs root and mmdebstrap; 20 GB of disk and half an hour each.
# Usage: cluster/hosts/test.sh [HOST...]; a HOST is debian-12, debian-13 or ubuntu-24.04; by default all of them
#
# The kernel, its control groups and the network are this machine's. Services and boot are not tested: no init runs.
# SHARE_GO=yes shares this machine's Go modules, which saves time. UBUNTU_MIRROR and DEBIAN_MIRROR name other mirrors.
set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=images/debian/packages.sh
. images/debian/packages.sh
work=$PWD/build/hosts

fail() {
  echo "ringside: test hosts: $*" >&2
  exit 1
}
((EUID == 0)) || fail "this needs root; run it as root"
command -v mmdebstrap >/dev/null || fail "mmdebstrap is missing; run apt-get install mmdebstrap"

# ubuntu_keyring FOLDER: prints the path of Ubuntu's signing keys. A machine without them fetches Debian's package of them.
ubuntu_keyring() {
  local keyring=usr/share/keyrings/ubuntu-archive-keyring.gpg
  if [[ -r /$keyring ]]; then echo "/$keyring"; return; fi
  sid_download "$1" true ubuntu-keyring >&2 || return
  dpkg-deb -x "$1"/debs/ubuntu-keyring_*.deb "$1" || return
  echo "$1/$keyring"
}

# make_root HOST FOLDER: makes the root file system of a host with make and git, and with this user's settings of registries.
make_root() {
  local suite keyring mirror components=main file
  case $1 in
  debian-12) suite=bookworm ;;
  debian-13) suite=trixie ;;
  ubuntu-24.04) suite=noble ;;
  *) fail "$1: unknown host; use debian-12, debian-13 or ubuntu-24.04" ;;
  esac
  if [[ $1 == ubuntu-* ]]; then
    keyring=$(ubuntu_keyring "$work/keys") || return
    mirror=${UBUNTU_MIRROR:-$(default_mirror "$keyring" $suite)} components="main universe"
  else
    keyring=$(debian_keyring "$work/keys") || return
    mirror=$(debian_mirror "$keyring") || return
  fi
  # Every system that boots has e2fsprogs, so uninstall keeps it. Ubuntu's minbase has no apt.
  mmdebstrap --quiet --variant=minbase --keyring="$keyring" --include=apt,make,git,ca-certificates,e2fsprogs $suite "$2" \
    "deb $mirror $suite $components" "deb $mirror $suite-updates $components" || return
  for file in /etc/resolv.conf /etc/hosts; do cp --remove-destination "$(readlink -f $file)" "$2$file"; done
  for file in .m2/settings.xml .m2/settings-security.xml .config/go/env; do
    if [[ -f $HOME/$file ]]; then install -D "$HOME/$file" "$2/root/$file"; fi
  done
  # Certificates of a proxy that this machine trusts.
  awk -v dir="$2/usr/local/share/ca-certificates" '/BEGIN CERT/ {n++} {print >(dir "/machine-" n ".crt")}' /etc/ssl/certs/ca-certificates.crt || return
  chroot "$2" update-ca-certificates >/dev/null 2>&1 || return
  git clone -q --no-hardlinks . "$2/root/ringside" && git -C "$2/root/ringside" checkout -q --detach "$(git rev-parse HEAD)" || return
  [[ ! ${SHARE_GO:-} ]] || mkdir -p "$2/root/go/pkg/mod"
}

# enter FOLDER COMMAND...: runs a command with the folder as root, in namespaces that end with it. This machine's files are out of reach.
enter() {
  local root=$1
  shift
  # shellcheck disable=SC2016 # the inner shell expands these
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "${environment[@]}" \
    unshare --mount --pid --ipc --uts --fork --kill-child -- bash -euc '
      root=$1 modules=$2
      shift 2
      mount --bind "$root" "$root"
      mount -t proc proc "$root/proc"
      for dir in sys dev; do mount --rbind "/$dir" "$root/$dir"; done
      mount -t tmpfs -o mode=755 run "$root/run"
      if [[ $modules ]]; then mount --bind "$modules" "$root/root/go/pkg/mod"; fi
      mkdir -p "$root/.machine"
      cd "$root"
      pivot_root . .machine
      umount -l /.machine
      rmdir /.machine
      exec "$@"' enter "$root" "${SHARE_GO:+$(go env GOMODCACHE)}" "$@" </dev/null
}

environment=()
for name in GOPROXY GOSUMDB GONOSUMDB GOPRIVATE GOINSECURE MAVEN_OPTS http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY SSL_CERT_FILE; do
  if [[ -n ${!name:-} ]]; then environment+=("$name=${!name}"); fi
done

# inside: what a user does on the new machine. Its arguments are variables of make.
# shellcheck disable=SC2016 # the shell inside expands these
inside='
  cd /root/ringside
  packages() { dpkg-query -W -f "\${Package} \${db:Status-Status}\n" | sort | sed -n "s/ installed$//p"; }
  packages >/root/packages-before
  files() { for folder in /opt /etc/cni; do [ ! -e "$folder" ] || find "$folder" -maxdepth 1; done | sort; }
  files >/root/files-before
  trap "make cluster-down $*" EXIT
  make experiment EXPERIMENT=smoke OPS=200 "$@"
  trap - EXIT
  make cluster-down "$@"
  find results -name SHA256SUMS | grep -q . || { echo "the run was not exported"; exit 1; }
  files >/root/files-after
  if comm -13 /root/files-before /root/files-after | grep .; then echo "the cluster left these files on the host"; exit 1; fi
  packages | comm -13 /root/packages-before - | wc -l | sed "s/$/ packages were installed/"
  make uninstall
  packages | diff /root/packages-before - || { echo "these packages were removed (<) or left (>)"; exit 1; }
  [ ! -e build ] || { echo "build is left"; exit 1; }'

hosts=("$@")
((${#hosts[@]})) || hosts=(debian-12 debian-13 ubuntu-24.04)
mkdir -p "$work"
port=17301
for host in "${hosts[@]}"; do
  root=$work/$host log=$work/$host.log start=$SECONDS
  rm -rf --one-file-system "$root"
  echo "=== $host (log: $log)"
  make_root "$host" "$root" >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "$host: its root file system cannot be made (log: $log)"; }
  enter "$root" bash -euo pipefail -c "$inside" inside INSTANCE="${host//./-}" API_PORT=$port >>"$log" 2>&1 || { tail -n 40 "$log" >&2; fail "$host failed (log: $log; files: $root)"; }
  grep -E '^\[ *[0-9]+:[0-9]+\]|packages were installed' "$log"
  printf '%3d min %02d s  %s: smoke ran, nothing is left\n' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)) "$host"
  rm -rf --one-file-system "$root"
  port=$((port + 1))
done
