#!/usr/bin/env bash
# Installs or upgrades the operator and Prometheus in the cluster of $KUBECONFIG, with the images that were built. Usage: cluster/install.sh
# CLUSTER is that of the Makefile.
# PULL_SECRET is the name of the Secret with which nodes log in to the registry, in both namespaces.
# PUBLIC_IMAGES is set if the nodes pull Prometheus and Grafana themselves, whatever was built for another cluster.
# Where Ringside's own image of Prometheus was built, because the cluster has no public images, Grafana runs only from the archive
# GRAFANA_IMAGE_ARCHIVE.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=build/bin namespace=ringside monitoring=${MONITORING:-ringside-monitoring} archive=${GRAFANA_IMAGE_ARCHIVE:-} secret=${PULL_SECRET:-}

# upgrade RELEASE CHART NAMESPACE [flags...]
upgrade() {
  local release=$1 chart=$2 into=$3
  shift 3
  cluster/step.sh "installing $chart" "$bin/helm" upgrade --install "$release" "$chart" --namespace "$into" --create-namespace --wait --timeout 5m "$@" || {
    echo "ringside: install $chart in namespace $into: it failed; see: kubectl -n $into get pods,events" >&2
    exit 1
  }
}

# A namespace that is being deleted accepts no new objects. Its deletion ends by itself, unless the operator was deleted before a run: then
# the finalizer of the run blocks it.
kubectl=$bin/kube/kubectl
[[ -x $kubectl ]] || kubectl=kubectl
if [[ -n $("$kubectl" get namespace $namespace --ignore-not-found -o 'jsonpath={.metadata.deletionTimestamp}' 2>/dev/null) ]]; then
  cluster/step.sh "waiting until namespace $namespace is deleted" "$kubectl" wait --for=delete "namespace/$namespace" --timeout=60s || {
    echo "ringside: install charts/ringside: namespace $namespace is being deleted, and these runs block the deletion:" >&2
    "$kubectl" -n $namespace get experiments --no-headers >&2 || true
    echo "ringside: for each, run make remove RUN=<run> ARGS=--force, which exports what is left of it; then make install" >&2
    exit 1
  }
fi

# A changed image has a new tag, so the operator's pod is replaced only if its image changed.
$bin/ringside-images values operator >build/images/operator-values.json
upgrade ringside charts/ringside $namespace -f build/images/operator-values.json ${secret:+--set "imagePullSecrets[0].name=$secret"}

$bin/ringside-images values monitoring ${PUBLIC_IMAGES:+--without-public} >build/images/monitoring-values.json
flags=(--set "namespaces={$namespace}")
if grep -q prometheus build/images/monitoring-values.json; then
  if [[ ${CLUSTER:-embedded} == embedded ]]; then flags+=(-f charts/monitoring/embedded-values.yaml); fi
  flags+=(-f build/images/monitoring-values.json --set grafana.enabled=false ${secret:+--set "prometheus.imagePullSecrets[0].name=$secret"})
  if [[ -n $archive ]]; then
    reference=$(cluster/image-reference.sh "$archive")
    name=${reference%:*}
    flags+=(--set "grafana.enabled=true,grafana.image.registry=${name%%/*},grafana.image.repository=${name#*/},grafana.image.tag=${reference##*:}")
  else
    echo "ringside: Prometheus is installed, Grafana is not: its image cannot be built here; to run it, set GRAFANA_IMAGE_ARCHIVE=<file>"
  fi
fi
upgrade monitoring charts/monitoring "$monitoring" "${flags[@]}"
