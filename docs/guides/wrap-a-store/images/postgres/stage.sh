#!/usr/bin/env bash
# Stages PostgreSQL and pgbench of Debian sid. Usage: stage.sh FOLDER, which becomes the image's root
# The packages are extracted and not configured, so that nothing of Debian's own set-up of a server runs.
set -euo pipefail
# shellcheck source=images/debian/packages.sh
. "$(dirname "$0")/../debian/packages.sh"
root=${1:?usage: stage.sh FOLDER}

fail() { echo "images/postgres/stage.sh: stage PostgreSQL: $*" >&2; exit 2; }
stamp=$(dirname "$root")/postgres.sha256 # outside the folder, because it is not part of the image
want=$(cat "$0" "$(dirname "$0")"/../debian/* | sha256sum)
if [ -x "$root/usr/local/bin/postgres" ] && [ "$want" = "$(cat "$stamp" 2>/dev/null)" ]; then exit 0; fi

[ "$(id -u)" = 0 ] || fail "this needs root; run as root"
need_mmdebstrap || fail "mmdebstrap is missing and cannot be installed"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
keyring=$(debian_keyring "$scratch/keys") || fail "there are no keys of Debian"
mirror=$(debian_mirror "$keyring") || fail "there is no mirror of Debian"
extract() {
	mmdebstrap --keyring="$keyring" --variant=extract --include=base-files,dash,coreutils,postgresql,postgresql-client \
		--aptopt="Acquire::Check-Valid-Until \"$1\"" --aptopt='APT::Sandbox::User "root"' sid "$scratch/root.tar" "$mirror"
}
fresh_or_late "$scratch/log" extract || fail "$(why_not "$scratch/log")"

rm -rf "$root" && mkdir -p "$root"
tar -xf "$scratch/root.tar" -C "$root" --exclude='./dev/*' --exclude='./etc/apt/*' --exclude='./var/*' \
	--exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' --exclude='./usr/share/perl*' --exclude='./usr/lib/*/perl*'
mkdir -p "$root/data" "$root/tmp" "$root/usr/local/bin"
for program in "$root"/usr/lib/postgresql/*/bin/*; do ln -sf "${program#"$root"}" "$root/usr/local/bin/"; done
echo 'postgres:x:10001:10001::/data:/bin/sh' >"$root/etc/passwd"
echo "$want" >"$stamp"
