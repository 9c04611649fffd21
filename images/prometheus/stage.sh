#!/usr/bin/env bash
# Stages Debian's Prometheus for the embedded cluster. Usage: images/prometheus/stage.sh FOLDER, which becomes the image's root
# Writes FOLDER (prometheus, promtool and their C library), and the version to FOLDER/../version, for the chart.
# Needs no root.
#
# The suite is Debian sid, which has 3.x. Debian 12 has 2.42, where native histograms are experimental. apt verifies packages with Debian's
# signing key.
set -euo pipefail
# shellcheck source=images/debian/packages.sh
. "$(dirname "$0")/../debian/packages.sh"
root=${1:?usage: images/prometheus/stage.sh FOLDER}
stamp=$(dirname "$root")/prometheus.sha256 # outside the folder, because it is not part of the image
want=$(cat "$0" "$(dirname "$0")"/../debian/* | sha256sum)
if [ -x "$root/usr/bin/prometheus" ] && [ "$want" = "$(cat "$stamp" 2>/dev/null)" ]; then exit 0; fi

fail() { echo "images/prometheus/stage.sh: $*" >&2; exit 2; }
for tool in apt-get dpkg-deb; do
	command -v $tool >/dev/null || fail "stage Prometheus: $tool is missing; use a Debian or Ubuntu machine, or the public image of charts/monitoring"
done
case $(dpkg --print-architecture) in
amd64) triplet=x86_64-linux-gnu loader=lib64/ld-linux-x86-64.so.2 ;;
arm64) triplet=aarch64-linux-gnu loader=lib/ld-linux-aarch64.so.1 ;;
*) fail "stage Prometheus: architecture $(dpkg --print-architecture) is not supported, only amd64 and arm64; use the public image of charts/monitoring" ;;
esac

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/root"
download() { sid_download "$scratch" "$1" prometheus promtool libc6; }
fresh_or_late "$scratch/log" download || fail "stage Prometheus: $(why_not "$scratch/log")"
for deb in "$scratch"/debs/*.deb; do echo "$(dpkg-deb -f "$deb" Package) $(dpkg-deb -f "$deb" Version) $deb"; done | hold_to_lock || fail "stage Prometheus: its packages are rejected"
for deb in "$scratch"/debs/*.deb; do dpkg-deb -x "$deb" "$scratch/root"; done

version=$("$scratch/root/usr/bin/promtool" --version | sed -nE '1s/^promtool, version ([0-9]+\.[0-9]+\.[0-9]+).*/\1/p')
[ "${version%%.*}" -ge 3 ] 2>/dev/null || fail "stage Prometheus: the mirror's version is older than 3.0, which rules and dashboards need; use another mirror"

rm -rf "$root"
install -D -t "$root/usr/bin" "$scratch/root/usr/bin/prometheus" "$scratch/root/usr/bin/promtool"
install -D "$(find "$scratch/root" -type f -path "*/$triplet/libc.so.6")" "$root/usr/lib/$triplet/libc.so.6"
install -D "$(find "$scratch/root" -type f -path "*/$triplet/$(basename "$loader")")" "$root/$loader"
echo 'nobody:x:65534:65534:nobody:/:/sbin/nologin' >"$scratch/passwd"
install -D -m 644 "$scratch/passwd" "$root/etc/passwd"
echo "$want" >"$stamp"
echo "$version" >"$(dirname "$root")/version" # for the chart's value prometheus.version
echo "staged Prometheus $version"
