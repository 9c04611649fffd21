{{- /* Names and labels. Argument of all: {root: $, component: prometheus|grafana|...} */ -}}
{{- define "monitoring.name" -}}
{{- printf "%s-%s" (trunc 40 .root.Release.Name | trimSuffix "-") .component -}}
{{- end }}

{{- define "monitoring.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- /* Of pods: without the chart's version, or a new one would start every pod anew. */ -}}
{{- define "monitoring.podLabels" -}}
{{ include "monitoring.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end }}

{{- define "monitoring.labels" -}}
{{ include "monitoring.podLabels" . }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- /* Argument: an image of the values. */ -}}
{{- define "monitoring.image" -}}
{{- if .registry }}{{ .registry }}/{{ end }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag }}{{ end -}}
{{- end }}

{{- define "monitoring.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- /* Argument: the user's id; 0 leaves it to the cluster. */ -}}
{{- define "monitoring.podSecurity" -}}
runAsNonRoot: true
{{- if . }}
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
{{- end }}
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- /* Where a pod may run and how important it is. Argument: the component's values. */ -}}
{{- define "monitoring.placement" -}}
{{- with .imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* From 3.8 on, native histograms are a matter of the configuration; before, of a flag. Each refuses the other's way. */ -}}
{{- define "monitoring.nativeHistogramsByFlag" -}}
{{- $version := .Values.prometheus.version | default .Values.prometheus.image.tag -}}
{{- if not (regexMatch "^v?[0-9]+\\.[0-9]+\\.[0-9]+" $version) -}}
{{- fail (printf "prometheus.image.tag %q is no version: set prometheus.version to the image's Prometheus version, such as 3.5.3" $version) -}}
{{- end -}}
{{- if semverCompare "<3.0.0-0" $version -}}
{{- fail (printf "prometheus.version %s is too old: rules and dashboards need 3.0 or newer" $version) -}}
{{- end -}}
{{- if semverCompare "<3.8.0-0" $version -}}true{{- end -}}
{{- end }}
