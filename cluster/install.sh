#!/usr/bin/env bash
# Installs or upgrades the operator and Prometheus in the cluster of $KUBECONFIG, with the images that were built: cluster/install.sh
# PULL_SECRET names the Secret by which nodes log in to the registry of our images, in both namespaces.
# Where no public image can be pulled, Prometheus is ours, and Grafana runs only when its archive is handed over in GRAFANA_IMAGE_ARCHIVE.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=build/bin namespace=ringside monitoring=${MONITORING:-ringside-monitoring} archive=${GRAFANA_IMAGE_ARCHIVE:-} secret=${PULL_SECRET:-}

# upgrade RELEASE CHART NAMESPACE [flags...]
upgrade() {
  local release=$1 chart=$2 into=$3
  shift 3
  cluster/step.sh "installing $chart" "$bin/helm" upgrade --install "$release" "$chart" --namespace "$into" --create-namespace --wait --timeout 5m "$@" || {
    echo "ringside: $chart could not be installed in namespace $into; see: kubectl -n $into get pods,events" >&2
    exit 1
  }
}

# A namespace that is being deleted takes nothing new. It goes by itself, unless a run holds it whose operator went first.
kubectl=$bin/kube/kubectl
[[ -x $kubectl ]] || kubectl=kubectl
if [[ -n $("$kubectl" get namespace $namespace --ignore-not-found -o 'jsonpath={.metadata.deletionTimestamp}' 2>/dev/null) ]]; then
  cluster/step.sh "waiting until namespace $namespace is deleted" "$kubectl" wait --for=delete "namespace/$namespace" --timeout=60s || {
    echo "ringside: namespace $namespace is being deleted, and these runs hold it:" >&2
    "$kubectl" -n $namespace get experiments --no-headers >&2 || true
    echo "ringside: make remove RUN=<run> ARGS=--force exports what is left of each and releases it; then make install" >&2
    exit 1
  }
fi

# A new image has a new tag, so that the operator's pod is replaced exactly when its image is another.
$bin/ringside-images values operator >build/images/operator-values.json
upgrade ringside charts/ringside $namespace -f build/images/operator-values.json ${secret:+--set "imagePullSecrets[0].name=$secret"}

$bin/ringside-images values monitoring >build/images/monitoring-values.json
flags=(--set "namespaces={$namespace}")
if grep -q prometheus build/images/monitoring-values.json; then
  flags+=(-f charts/monitoring/embedded-values.yaml -f build/images/monitoring-values.json ${secret:+--set "prometheus.imagePullSecrets[0].name=$secret"})
  if [[ -n $archive ]]; then
    reference=$(cluster/image-reference.sh "$archive")
    name=${reference%:*}
    flags+=(--set "grafana.enabled=true,grafana.image.registry=${name%%/*},grafana.image.repository=${name#*/},grafana.image.tag=${reference##*:}")
  else
    echo "ringside: Prometheus runs; Grafana does not: its image is in no package registry. Hand it over with GRAFANA_IMAGE_ARCHIVE=<file> to run it"
  fi
fi
upgrade monitoring charts/monitoring "$monitoring" "${flags[@]}"
