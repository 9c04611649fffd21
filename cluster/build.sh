#!/usr/bin/env bash
# Builds the programs of the embedded cluster into build/bin. A repeat takes seconds, because of Go's build cache.
# Usage: cluster/build.sh [registry] [prometheus-operator]
#   registry             a registry, which a cluster runs on request (ringside-cluster up --registry)
#   prometheus-operator  the Prometheus Operator, for the tests that use it
set -euo pipefail
cd "$(dirname "$0")"
bin=$(cd .. && pwd)/build/bin

export CGO_ENABLED=0 GOFLAGS="-trimpath -buildvcs=false -gcflags=all=-dwarf=false" # as in the Makefile
build() { go build -v "$@"; }

# Kubernetes reports the version that is stamped into it.
version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
IFS=. read -r major minor _ <<<"${version#v}"
stamp=""
for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
	stamp+=" -X $package.gitVersion=$version -X $package.gitMajor=$major -X $package.gitMinor=$minor"
	stamp+=" -X $package.gitTreeState=clean -X $package.gitCommit=$version"
done
mkdir -p "$bin/kube"
# In one call, so that programs are linked while others are compiled.
build -ldflags "-s -w $stamp" -o "$bin/" ./cmd/...
# The folder kube contains etcd, so it also serves as KUBEBUILDER_ASSETS.
for program in etcd kube-apiserver kube-controller-manager kube-scheduler kube-proxy kubelet kubectl; do
	ln -sfn ../ringside-kube "$bin/kube/$program"
done
for more in "$@"; do
	case $more in
	registry) (cd .. && build -ldflags "-s -w" -o "$bin/registry" ./images/cmd/registry) ;;
	prometheus-operator)
		project=github.com/prometheus-operator/prometheus-operator
		version=$(cd .. && go list -m -f '{{.Version}}' $project/pkg/apis/monitoring)
		for program in operator prometheus-config-reloader; do
			./tool.sh "$bin/prometheus-${program#prometheus-}" "$project@$version" "cmd/$program"
		done
		;;
	*)
		echo "cluster/build.sh: $more: unknown argument; use registry or prometheus-operator" >&2
		exit 2
		;;
	esac
done
