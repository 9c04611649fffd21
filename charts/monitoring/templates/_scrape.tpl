{{- /*
Scrape targets, defined once for Prometheus's own configuration and for PodMonitors. Rules are in the notation of PodMonitors.
"monitoring.relabelConfigs" converts them for Prometheus.

No label value contains a name that changes with every phase. A load pod is load-<index>, and meter's labels distinguish its series.
*/ -}}
{{- define "monitoring.jobs" -}}
- name: ringside-load
  interval: {{ .Values.scrape.load }}
  relabelings:
    {{- include "monitoring.relabelings" (dict "label" "ringside_dev_measurement" "regex" ".+") | nindent 4 }}
    - {action: replace, sourceLabels: [__meta_kubernetes_pod_label_batch_kubernetes_io_job_completion_index], targetLabel: instance, replacement: load-$1}
    # The Prometheus Operator adds this label. The name of a phase's pod is of no use later.
    - {action: labeldrop, regex: pod}
- name: ringside-store
  interval: {{ .Values.scrape.store }}
  relabelings:
    {{- include "monitoring.relabelings" (dict "label" "app_kubernetes_io_component" "regex" "store") | nindent 4 }}
    - {action: replace, sourceLabels: [__meta_kubernetes_pod_name], targetLabel: instance}
    - {action: replace, sourceLabels: [__meta_kubernetes_pod_name], targetLabel: pod}
    - {action: replace, sourceLabels: [__meta_kubernetes_pod_label_app_kubernetes_io_instance], targetLabel: release}
    - {action: replace, sourceLabels: [__meta_kubernetes_pod_label_ringside_dev_experiment], targetLabel: experiment}
    - {action: replace, sourceLabels: [__meta_kubernetes_pod_label_ringside_dev_run], targetLabel: run}
    - {action: replace, sourceLabels: [__meta_kubernetes_pod_label_ringside_dev_store], targetLabel: store}
- name: ringside-operator
  interval: {{ .Values.scrape.operator }}
  relabelings:
    {{- include "monitoring.relabelings" (dict "label" "app_kubernetes_io_component" "regex" "operator") | nindent 4 }}
    - {action: replace, sourceLabels: [__meta_kubernetes_pod_name], targetLabel: instance}
    - {action: replace, sourceLabels: [__meta_kubernetes_pod_name], targetLabel: pod}
{{- end }}

{{- /* Selects running pods with the label ringside.dev/scrape, on their port "metrics". */ -}}
{{- define "monitoring.relabelings" -}}
- {action: keep, sourceLabels: [__meta_kubernetes_pod_label_ringside_dev_scrape], regex: "true"}
- {action: keep, sourceLabels: [__meta_kubernetes_pod_label_{{ .label }}], regex: {{ .regex | quote }}}
- {action: keep, sourceLabels: [__meta_kubernetes_pod_container_port_name], regex: metrics}
- {action: drop, sourceLabels: [__meta_kubernetes_pod_phase], regex: Pending|Succeeded|Failed|Unknown}
- {action: replace, sourceLabels: [__meta_kubernetes_namespace], targetLabel: namespace}
- {action: replace, sourceLabels: [__meta_kubernetes_pod_node_name], targetLabel: node}
{{- end }}

{{- define "monitoring.relabelConfigs" -}}
{{- range . }}
{{- $rule := dict "action" .action }}
{{- with .sourceLabels }}{{ $_ := set $rule "source_labels" . }}{{ end }}
{{- with .targetLabel }}{{ $_ := set $rule "target_label" . }}{{ end }}
{{- with .regex }}{{ $_ := set $rule "regex" . }}{{ end }}
{{- with .replacement }}{{ $_ := set $rule "replacement" . }}{{ end }}
- {{ toJson $rule }}
{{- end }}
{{- end }}
