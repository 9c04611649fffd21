#!/usr/bin/env bash
# Stages Debian's Prometheus for the embedded cluster: images/prometheus/stage.sh CONTEXT
# Result: CONTEXT/rootfs (prometheus, promtool and the C library they load) and build/bin/promtool; CONTEXT/../version is
# its version, for the chart. Needs no root.
#
# Debian 12 has 2.42, which knows native histograms only as a first experiment; sid has 3.x. Packages are checked against
# Debian's own signing key.
set -euo pipefail
# shellcheck source=images/debian/packages.sh
. "$(dirname "$0")/../debian/packages.sh"
context=${1:?usage: images/prometheus/stage.sh CONTEXT}
promtool=$(cd "$(dirname "$0")/../.." && pwd)/build/bin/promtool
stamp=$(dirname "$context")/prometheus.sha256 # beside the context: it is no part of the image
want=$(cat "$0" "$(dirname "$0")"/../debian/* | sha256sum)
if [ -d "$context/rootfs" ] && [ -x "$promtool" ] && [ "$want" = "$(cat "$stamp" 2>/dev/null)" ]; then exit 0; fi

fail() { echo "images/prometheus/stage.sh: $*" >&2; exit 2; }
for tool in apt-get dpkg-deb; do
	command -v $tool >/dev/null || fail "$tool is missing: stage on a Debian machine, or use the public image that charts/monitoring names"
done
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r $keyring ] || fail "$keyring is missing: apt-get install debian-archive-keyring"
case $(dpkg --print-architecture) in
amd64) triplet=x86_64-linux-gnu loader=lib64/ld-linux-x86-64.so.2 ;;
arm64) triplet=aarch64-linux-gnu loader=lib/ld-linux-aarch64.so.1 ;;
*) fail "no Prometheus is staged for $(dpkg --print-architecture): use the public image that charts/monitoring names" ;;
esac
mirror=$(debian_mirror)
[ -n "$mirror" ] || fail "this machine's apt knows no mirror: add one to /etc/apt/sources.list.d"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"/state/lists/partial "$scratch"/cache/archives/partial "$scratch/root" "$scratch/debs"
touch "$scratch/status"
echo "deb [signed-by=$keyring] $mirror sid main" >"$scratch/sources.list"
# An apt of its own: it reads nothing but that list, and writes nothing outside the scratch folder.
apt=(-q -o Dir::Etc::SourceList="$scratch/sources.list" -o Dir::Etc::SourceParts=- -o Dir::Etc::Preferences=- -o Dir::Etc::PreferencesParts=-
	-o Dir::State="$scratch/state" -o Dir::State::status="$scratch/status" -o Dir::Cache="$scratch/cache"
	-o Acquire::Languages=none -o APT::Sandbox::User="$(id -un)")
download() (
	apt+=(-o "Acquire::Check-Valid-Until=$1")
	cd "$scratch/debs" && apt-get "${apt[@]}" update && apt-get "${apt[@]}" download prometheus promtool libc6
)
fresh_or_late "$scratch/log" download || fail "$(grep -E '^(E|Err):' "$scratch/log" | head -n 1 || tail -n 1 "$scratch/log")"
for deb in "$scratch"/debs/*.deb; do echo "$(dpkg-deb -f "$deb" Package) $(dpkg-deb -f "$deb" Version) $deb"; done | hold_to_lock || fail "the packages are refused"
for deb in "$scratch"/debs/*.deb; do dpkg-deb -x "$deb" "$scratch/root"; done

version=$("$scratch/root/usr/bin/promtool" --version | sed -nE '1s/^promtool, version ([0-9]+\.[0-9]+\.[0-9]+).*/\1/p')
[ "${version%%.*}" -ge 3 ] 2>/dev/null || fail "the mirror's Prometheus is older than 3.0, which the rules and dashboards need"

rm -rf "$context/rootfs"
install -D "$scratch/root/usr/bin/promtool" "$promtool"
install -D -t "$context/rootfs/usr/bin" "$scratch/root/usr/bin/prometheus" "$scratch/root/usr/bin/promtool"
install -D "$(find "$scratch/root" -type f -path "*/$triplet/libc.so.6")" "$context/rootfs/usr/lib/$triplet/libc.so.6"
install -D "$(find "$scratch/root" -type f -path "*/$triplet/$(basename "$loader")")" "$context/rootfs/$loader"
echo 'nobody:x:65534:65534:nobody:/:/sbin/nologin' >"$scratch/passwd"
install -D -m 644 "$scratch/passwd" "$context/rootfs/etc/passwd"
echo "$want" >"$stamp"
echo "$version" >"$(dirname "$context")/version" # the chart asks for it: prometheus.version
echo "staged Prometheus $version"
