#!/usr/bin/env bash
# Builds latte from its sources and stages it. Usage: images/latte/stage.sh FOLDER, which becomes the image's root
# Takes some ten minutes on two cores, once: the program is kept in build/images/downloads. Needs root, for a Debian sid with a Rust compiler: that
# of Debian 12 is too old. The program is linked statically, so it needs nothing in the image.
# LATTE=<file> stages that file instead, a static program of the same version.
set -euo pipefail
# shellcheck source=images/debian/packages.sh
. "$(dirname "$0")/../debian/packages.sh"
root=${1:?usage: images/latte/stage.sh FOLDER}
version=0.29.0
downloads=$(cd "$(dirname "$0")/../.." && pwd)/build/images/downloads

fail() { echo "images/latte/stage.sh: $*" >&2; exit 2; }
want=$(cat "$0" "$(dirname "$0")/../debian/packages.sh" | sha256sum | cut -c 1-12)
latte=${LATTE:-$downloads/latte-$version-$want-$(uname -m)}
[[ -z ${LATTE:-} || -x $latte ]] || fail "stage latte: LATTE is $latte, which is not a program"

# bootstrap CHECK: makes a Debian sid with a Rust compiler in $scratch/root. CHECK is true or false: whether apt checks the age of its index.
bootstrap() {
	rm -rf "$scratch/root" # of a first attempt
	mmdebstrap --keyring="$keyring" --variant=essential --include=cargo,gcc,libc6-dev,libssl-dev,libzstd-dev,make,pkgconf,rustc,zlib1g-dev \
		--aptopt="Acquire::Check-Valid-Until \"$1\"" --aptopt='APT::Sandbox::User "root"' \
		--dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/man/*' \
		sid "$scratch/root" "$mirror"
}

# compile: builds latte in that Debian. Link-time optimization, its default, would take longer than the rest. The build gets the machine's name
# servers and certificates, because the registry of crates may be behind a proxy.
compile() {
	local certificates=/etc/ssl/certs/ca-certificates.crt
	cp -L /etc/resolv.conf "$scratch/root/etc/resolv.conf"
	[[ ! -r $certificates ]] || install -D -m 644 "$certificates" "$scratch/root$certificates"
	chroot "$scratch/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root CARGO_HTTP_CAINFO=$certificates \
		CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 RUSTFLAGS='-C target-feature=+crt-static -C strip=symbols' OPENSSL_STATIC=1 \
		cargo install --locked --root /out --target "$(uname -m)-unknown-linux-gnu" --version "=$version" latte-cli
}

if [[ ! -x $latte ]]; then
	[[ $(id -u) == 0 ]] || fail "build latte: this needs root; run as root, or set LATTE=<static program of latte $version>"
	need_mmdebstrap || fail "build latte: mmdebstrap is missing and cannot be installed; set LATTE=<static program of latte $version>"
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	keyring=$(debian_keyring "$scratch/keys") || fail "build latte: there are no keys of Debian"
	mirror=$(debian_mirror "$keyring") || fail "build latte: there is no mirror of Debian"
	fresh_or_late "$scratch/log" bootstrap || fail "build latte: mmdebstrap failed: $(why_not "$scratch/log")"
	awk '/^Package:/ {p = $2} /^Version:/ {print p, $2}' "$scratch/root/var/lib/dpkg/status" | hold_to_lock || fail "build latte: the packages of its build are rejected"
	compile >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log" >&2; fail "build latte: cargo failed"; }
	mkdir -p "$downloads"
	install -m 755 "$scratch/root/out/bin/latte" "$latte.new" && mv "$latte.new" "$latte"
fi
install -D -m 755 "$latte" "$root/usr/bin/latte"
