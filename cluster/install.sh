#!/usr/bin/env bash
# Installs or upgrades the operator and Prometheus in the cluster of $KUBECONFIG: cluster/install.sh HELM REGISTRY TAG MONITORING_NAMESPACE [GRAFANA_ARCHIVE]
# With the registry ringside.local (images loaded, not pulled) Prometheus is ours, and Grafana runs only when its archive is handed over.
set -euo pipefail
cd "$(dirname "$0")/.."
helm=$1 registry=$2 tag=$3 monitoring=$4 grafana_archive=${5:-}
namespace=ringside

# upgrade RELEASE CHART NAMESPACE [flags...]: quiet when it works, all of Helm's words when it does not
upgrade() {
  local release=$1 chart=$2 into=$3 log
  shift 3
  log=$(mktemp)
  echo "ringside: installing $chart"
  if ! "$helm" upgrade --install "$release" "$chart" --namespace "$into" --create-namespace --wait --timeout 5m "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "ringside: $chart could not be installed in namespace $into; see: kubectl -n $into get pods,events" >&2
    exit 1
  fi
  rm -f "$log"
}

# Pods are replaced when an image was built anew under the same tag.
digest=$(cat build/images/operator.built 2>/dev/null || echo none)
upgrade ringside charts/ringside "$namespace" \
  --set-string "image.registry=$registry,image.tag=$tag,podAnnotations.ringside\.dev/built=${digest%% *}"

flags=(--set "namespaces={$namespace}")
if [[ $registry == ringside.local ]]; then
  flags+=(-f charts/monitoring/embedded-values.yaml --set-string "prometheus.version=$(cat build/images/prometheus/version)")
  if [[ -n $grafana_archive ]]; then
    reference=$(tar -xOf "$grafana_archive" manifest.json | grep -o '"RepoTags":\["[^"]*' | cut -d'"' -f4)
    name=${reference%:*}
    flags+=(--set "grafana.enabled=true,grafana.image.registry=${name%%/*},grafana.image.repository=${name#*/},grafana.image.tag=${reference##*:}")
  else
    echo "ringside: Prometheus runs; Grafana does not: its image is in no package registry. Hand it over with GRAFANA_IMAGE_ARCHIVE=<file> to run it"
  fi
fi
upgrade monitoring charts/monitoring "$monitoring" "${flags[@]}"
