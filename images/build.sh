#!/usr/bin/env bash
# Builds Ringside's images: images/build.sh [--push] [name...]   (no name: every folder with a Containerfile)
#
#   ENGINE    buildah, podman or docker; the first that is found
#   REGISTRY  ringside.local: never asked for, its images are loaded from archives (or a registry you may push to)
#   TAG       dev
#   BASE      image with a Java 8; empty is the public one each Containerfile names, "bootstrap" makes one from Debian packages
#
# What an image needs is staged to build/images/<name>/context by images/<name>/stage.sh; an image whose context did not
# change is not built again. Result: build/images/<name>.tar, a docker-archive, or with --push an image in REGISTRY.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(dirname "$here")/build/images
registry=${REGISTRY:-ringside.local} tag=${TAG:-dev} base=${BASE:-} push=

fail() { echo "images/build.sh: $*" >&2; exit 2; }

names=()
for argument in "$@"; do
	case $argument in
	--push) push=yes ;;
	-*) fail "unknown option $argument; usage: images/build.sh [--push] [name...]" ;;
	*) names+=("$argument") ;;
	esac
done
if [ ${#names[@]} -eq 0 ]; then
	for file in "$here"/*/Containerfile; do names+=("$(basename "$(dirname "$file")")"); done
fi
for name in "${names[@]}"; do
	[ -f "$here/$name/Containerfile" ] || fail "no image is named '$name'; there are: $(cd "$here" && dirname -- */Containerfile | xargs)"
done
if [ -n "$push" ] && [ "$registry" = ringside.local ]; then
	fail "--push needs REGISTRY=<a registry you may push to>; ringside.local is only a name for loaded archives"
fi

engine=${ENGINE:-}
for candidate in buildah podman docker; do
	[ -n "$engine" ] || ! command -v "$candidate" >/dev/null || engine=$candidate
done
case $engine in
# No image has a RUN step, so a build needs no container; its storage is our own.
buildah) run=(buildah --root "$out/storage" --runroot "$out/run") build=(bud --isolation chroot --layers=false --timestamp 0) ;;
podman) run=(podman) build=(build --timestamp 0) ;;
docker) run=(docker) build=(build) ;;
*) fail "no container build tool: install buildah (apt-get install buildah), or set ENGINE=buildah, podman or docker" ;;
esac
export SOURCE_DATE_EPOCH=0

mkdir -p "$out"
exec 9>"$out/.lock" # one build at a time: they share staging and storage
flock 9

if [ "$base" = bootstrap ]; then
	base=$registry/ringside-base:$(cat "$here/base.sh" "$here"/debian/* | sha256sum | cut -c1-12)
	if ! "${run[@]}" inspect --type image "$base" >/dev/null 2>&1; then
		"$here/base.sh" "$out/base"
		"${run[@]}" "${build[@]}" -t "$base" "$out/base" >"$out/base.log" 2>&1 || fail "building $base failed: $(tail -3 "$out/base.log")"
		rm -rf "$out/base"
	fi
fi

for name in "${names[@]}"; do
	reference=$registry/ringside-$name:$tag
	context=$out/$name/context archive=$out/$name.tar stamp=$out/$name.built
	mkdir -p "$context"
	"$here/$name/stage.sh" "$context"
	want=$({
		echo "$reference $engine $base"
		cat "$here/$name/Containerfile"
		cd "$context" && find . -type f -printf '%m %p\n' | sort && find . -type f -print0 | sort -z | xargs -0 sha256sum
	} | sha256sum)
	if [ -z "$push" ] && [ -f "$archive" ] && [ "$want" = "$(cat "$stamp" 2>/dev/null)" ]; then
		echo "$reference is up to date"
		continue
	fi
	rm -f "$archive" "$stamp"
	"${run[@]}" "${build[@]}" ${base:+--build-arg "BASE=$base"} -f "$here/$name/Containerfile" -t "$reference" "$context" >"$out/$name.log" 2>&1 ||
		fail "building $reference failed: $(tail -3 "$out/$name.log")"
	if [ -n "$push" ]; then
		"${run[@]}" push "$reference"
	elif [ "$engine" = docker ]; then
		docker save -o "$archive" "$reference"
	else
		"${run[@]}" push -q "$reference" "docker-archive:$archive:$reference"
	fi
	[ -n "$push" ] || echo "$want" >"$stamp"
	echo "$reference built"
done
