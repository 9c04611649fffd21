#!/usr/bin/env bash
# Functions that make the root file systems of other systems. Source it at the top of the repository after `set -euo pipefail`.
# SHARE_GO=yes shares this machine's Go modules and compiled packages, which saves time. UBUNTU_MIRROR and DEBIAN_MIRROR name other mirrors.

# shellcheck source=images/debian/packages.sh
. images/debian/packages.sh
work=$PWD/build/hosts
mkdir -p "$work"
environment=()
for name in GOPROXY GOSUMDB GONOSUMDB GOPRIVATE GOINSECURE MAVEN_OPTS http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY SSL_CERT_FILE; do
  if [[ -n ${!name:-} ]]; then environment+=("$name=${!name}"); fi
done

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

# make_root HOST FOLDER [PACKAGE...]: makes the root file system of a host with make and git, a clean clone of HEAD in /root/ringside, and this
# user's settings of registries.
make_root() {
  local suite keyring mirror components=main file host=$1 root=$2
  shift 2
  case $host in
  debian-12) suite=bookworm ;;
  debian-13) suite=trixie ;;
  ubuntu-24.04) suite=noble ;;
  *) fail "$host: unknown host; use debian-12, debian-13 or ubuntu-24.04" ;;
  esac
  if [[ $host == ubuntu-* ]]; then
    keyring=$(ubuntu_keyring "$work/keys") || return
    mirror=${UBUNTU_MIRROR:-$(default_mirror "$keyring" $suite)} components="main universe"
  else
    keyring=$(debian_keyring "$work/keys") || return
    mirror=$(debian_mirror "$keyring") || return
  fi
  rm -rf --one-file-system "$root"
  # Every system that boots has e2fsprogs, so uninstall keeps it. Ubuntu's minbase has no apt.
  mmdebstrap --quiet --variant=minbase --keyring="$keyring" --include=apt,make,git,ca-certificates,e2fsprogs "${@/#/--include=}" $suite "$root" \
    "deb $mirror $suite $components" "deb $mirror $suite-updates $components" || return
  for file in /etc/resolv.conf /etc/hosts; do cp --remove-destination "$(readlink -f $file)" "$root$file"; done
  for file in .m2/settings.xml .m2/settings-security.xml .config/go/env; do
    if [[ -f $HOME/$file ]]; then install -D "$HOME/$file" "$root/root/$file"; fi
  done
  # Certificates of a proxy that this machine trusts.
  awk -v dir="$root/usr/local/share/ca-certificates" '/BEGIN CERT/ {n++} {print >(dir "/machine-" n ".crt")}' /etc/ssl/certs/ca-certificates.crt || return
  chroot "$root" update-ca-certificates >/dev/null 2>&1 || return
  git clone -q --no-hardlinks . "$root/root/ringside" && git -C "$root/root/ringside" checkout -q --detach "$(git rev-parse HEAD)" || return
  mkdir -p "$root/root/go/pkg/mod" "$root/root/.cache/go-build"
}

# mount_caches FOLDER: with SHARE_GO, binds this machine's Go modules and compiled packages. Call it in a mount namespace of its own.
mount_caches() {
  [[ ${SHARE_GO:-} ]] || return 0
  mount --bind "$(go env GOMODCACHE)" "$1/root/go/pkg/mod"
  mount --bind "$(go env GOCACHE)" "$1/root/.cache/go-build"
}

# enter FOLDER COMMAND...: runs a command with the folder as root, in namespaces that end with it. This machine's files are out of reach.
enter() {
  export -f mount_caches
  # shellcheck disable=SC2016 # the inner shell expands these
  unshare --mount --pid --ipc --uts --fork --kill-child -- bash -euc '
    root=$1
    shift
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    for dir in sys dev; do mount --rbind "/$dir" "$root/$dir"; done
    mount -t tmpfs -o mode=755 run "$root/run"
    mount_caches "$root"
    mkdir -p "$root/.machine"
    cd "$root"
    pivot_root . .machine
    umount -l /.machine
    rmdir /.machine
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"' enter "$1" "${environment[@]}" "${@:2}" </dev/null
}
