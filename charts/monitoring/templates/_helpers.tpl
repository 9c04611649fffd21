{{- /* Names and labels. Argument of all: {root: $, component: prometheus|grafana|...} */ -}}
{{- define "monitoring.name" -}}
{{- printf "%s-%s" (trunc 40 .root.Release.Name | trimSuffix "-") .component -}}
{{- end }}

{{- define "monitoring.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "monitoring.labels" -}}
{{ include "monitoring.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
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

{{- /* Argument: the user's id. */ -}}
{{- define "monitoring.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
seccompProfile: {type: RuntimeDefault}
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
