{{- /* Release names may be 53 characters long; what is put behind them here must fit the 63 of a label. */ -}}
{{- define "stub.name" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{- define "stub.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- define "stub.labels" -}}
{{ include "stub.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "stub.image" -}}
{{- with .Values.image }}{{ if .registry }}{{ .registry }}/{{ end }}{{ end }}ringside-stub:{{ .Values.image.tag }}
{{- end }}

{{- define "stub.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "stub.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- /* type:port of every server, separated by commas. */ -}}
{{- define "stub.servers" -}}
{{- $entries := list -}}
{{- range $i, $type := .Values.server.types -}}
{{- $entries = append $entries (printf "%s:%d" $type (add $.Values.port $i)) -}}
{{- end -}}
{{- join "," $entries -}}
{{- end }}
