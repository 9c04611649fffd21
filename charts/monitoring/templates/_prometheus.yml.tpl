{{- define "monitoring.prometheus.yml" -}}
global:
  scrape_interval: {{ .Values.scrape.store }}
  evaluation_interval: 5s
  {{- if not (include "monitoring.nativeHistogramsByFlag" .) }}
  scrape_native_histograms: true
  {{- end }}
{{- if .Values.prometheus.remoteWriteReceiver }}
storage:
  tsdb:
    # The history of runs is older than what Prometheus scraped last.
    out_of_order_time_window: {{ .Values.prometheus.retention.time }}
{{- end }}
rule_files:
  - /etc/prometheus/rules/*.yaml
{{- with .Values.prometheus.alertmanagers }}
alerting:
  alertmanagers:
    - static_configs:
        - targets: {{ toJson . }}
{{- end }}
scrape_configs:
  - job_name: prometheus
    static_configs:
      - targets: [localhost:9090]
  {{- range include "monitoring.jobs" . | fromYamlArray }}
  - job_name: {{ .name }}
    scrape_interval: {{ .interval }}
    scrape_timeout: {{ .interval }}
    kubernetes_sd_configs:
      - role: pod
        namespaces:
          names: {{ include "monitoring.namespaces" $ }}
    relabel_configs:
      {{- include "monitoring.relabelConfigs" .relabelings | trim | nindent 6 }}
  {{- end }}
  {{- if .Values.nodeMetrics.enabled }}
  - job_name: ringside-nodes
    scheme: https
    metrics_path: /metrics/cadvisor
    scrape_interval: {{ .Values.nodeMetrics.interval }}
    scrape_timeout: {{ .Values.nodeMetrics.interval }}
    authorization:
      credentials_file: /var/run/secrets/kubernetes.io/serviceaccount/token
    tls_config:
      {{- if .Values.nodeMetrics.insecureSkipVerify }}
      insecure_skip_verify: true
      {{- else }}
      ca_file: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt
      {{- end }}
    kubernetes_sd_configs:
      - role: node
    relabel_configs:
      - {source_labels: [__meta_kubernetes_node_name], target_label: node}
    # Of several hundred series per kubelet, keeps those that the dashboards show, for containers in the namespaces of experiments.
    metric_relabel_configs:
      - {action: keep, source_labels: [__name__], regex: container_cpu_usage_seconds_total|container_cpu_cfs_throttled_seconds_total|container_memory_working_set_bytes}
      - {action: keep, source_labels: [namespace], regex: {{ include "monitoring.namespaces" . | fromJsonArray | join "|" | quote }}}
      - {action: drop, source_labels: [container], regex: "POD|"}
      - {action: labeldrop, regex: id|name|image}
  {{- end }}
{{- end }}
