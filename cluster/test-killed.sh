#!/usr/bin/env bash
# Kills make test, and make test-e2e with its cluster up, beside a live cluster of another instance that holds results. Then runs the first step of
# make test-e2e, which clears what the killed run left. Fails unless the live cluster has the same objects and processes as before.
# Usage: cluster/test-killed.sh
set -euo pipefail
cd "$(dirname "$0")/.."
live=(INSTANCE=beside API_PORT=17203)
state=build/cluster-beside
mkdir -p build/log
kubectl() { build/bin/kube/kubectl --kubeconfig "$state/kubeconfig" "$@"; }
fail() { echo "test-killed: $*" >&2; exit 1; }

# Identifies the objects, and the processes of the machines by number and start time.
seen() {
  kubectl get nodes,namespaces,configmaps -A -o jsonpath='{range .items[*]}{.kind}/{.metadata.namespace}/{.metadata.name} {.metadata.uid}{"\n"}{end}' | sort
  for process in /proc/[0-9]*; do
    if tr '\0' ' ' 2>/dev/null <"$process/cmdline" | grep -qF "$PWD/$state/"; then echo "$process $(cut -d' ' -f22 "$process/stat")"; fi
  done | sort
}

# killed TARGET UNTIL... runs make TARGET until the command UNTIL succeeds, and kills all of it.
killed() {
  local target=$1
  shift
  setsid make "$target" >"build/log/killed-$target.log" 2>&1 </dev/null &
  local pid=$!
  for ((i = 0; i < 1800; i++)); do
    if "$@" >/dev/null 2>&1; then break; fi
    kill -0 $pid 2>/dev/null || fail "make $target ended before it was killed; see build/log/killed-$target.log"
    sleep 1
  done
  ((i < 1800)) || fail "make $target did not come as far as '$*' in 30 minutes; see build/log/killed-$target.log"
  # Parallel targets have sessions of their own, so this kills every process with this run's mark but the machines of the test cluster.
  for process in /proc/[0-9]*; do
    if ! grep -qsF "$PWD/build/cluster-e2e/" "$process/cmdline" && tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -qxF "TEST_KILLED=$target"; then kill -KILL "${process#/proc/}" 2>/dev/null || true; fi
  done
  wait $pid 2>/dev/null || true
  echo "test-killed: killed make $target"
}

trap 'make cluster-down "${live[@]}" && make cluster-down INSTANCE=e2e' EXIT
make cluster-up "${live[@]}"
kubectl create configmap result --from-literal=not=exported
before=$(seen)
TEST_KILLED='test' killed test grep -q "Go tests" build/log/test-lint-go.log
TEST_KILLED='test-e2e' killed test-e2e build/bin/kube/kubectl --kubeconfig build/cluster-e2e/kubeconfig get --raw /readyz
make cluster-down INSTANCE=e2e # as make test-e2e begins
after=$(seen)
[[ $before == "$after" ]] || { diff <(echo "$before") <(echo "$after"); fail "the live cluster has changed"; }
kubectl get configmap result -o jsonpath='{.data.not}' | grep -qx exported || fail "a result is gone"
echo "test-killed: $(wc -l <<<"$after") objects and processes of the live cluster are as before"
