{{- /* Names and labels. Their argument: {root: $, component: prometheus|grafana|...} */ -}}
{{- define "monitoring.name" -}}
{{- printf "%s-%s" (trunc 40 .root.Release.Name | trimSuffix "-") .component -}}
{{- end }}

{{- define "monitoring.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- /* Labels of pods. Without the chart's version, because a new version would restart every pod. */ -}}
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

{{- /* Reference of an image. Argument: an image in the values. */ -}}
{{- define "monitoring.image" -}}
{{- if .registry }}{{ .registry }}/{{ end }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag }}{{ end -}}
{{- end }}

{{- /* Namespaces with runs, as a JSON list. */ -}}
{{- define "monitoring.namespaces" -}}
{{- .Values.namespaces | default (list .Release.Namespace) | toJson -}}
{{- end }}

{{- define "monitoring.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- /* Security context of a pod. Argument: the user ID; 0 leaves it to the cluster. */ -}}
{{- define "monitoring.podSecurity" -}}
runAsNonRoot: true
{{- if . }}
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
{{- end }}
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- /* Scheduling of a pod. Argument: the component's values. */ -}}
{{- define "monitoring.placement" -}}
{{- with .imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ quote . }}
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

{{- /* Native histograms are enabled in the configuration from 3.8 on, and by a flag before. Each version rejects the other way. */ -}}
{{- define "monitoring.nativeHistogramsByFlag" -}}
{{- $version := .Values.prometheus.version | default .Values.prometheus.image.tag -}}
{{- if not (regexMatch "^v?[0-9]+\\.[0-9]+\\.[0-9]+" $version) -}}
{{- fail (printf "prometheus.image.tag is %q: it is not a version; set prometheus.version to the image's Prometheus version, such as 3.5.3" $version) -}}
{{- end -}}
{{- if semverCompare "<3.0.0-0" $version -}}
{{- fail (printf "prometheus.version is %s: rules and dashboards need 3.0 or newer; use a newer image" $version) -}}
{{- end -}}
{{- if semverCompare "<3.8.0-0" $version -}}true{{- end -}}
{{- end }}
