{{- define "ringside.selector" -}}
app.kubernetes.io/name: ringside
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: operator
{{- end }}

{{- /* Labels of pods. Without the chart's version, because a new version would restart every pod. */ -}}
{{- define "ringside.podLabels" -}}
{{ include "ringside.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "ringside.labels" -}}
{{ include "ringside.podLabels" . }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "ringside.repository" -}}
{{- with .Values.image.registry }}{{ . }}/{{ end }}ringside-operator
{{- end }}

{{- define "ringside.image" -}}
{{ include "ringside.repository" . }}:{{ .Values.image.tag }}{{ with .Values.image.operatorDigest }}@{{ . }}{{ end }}
{{- end }}

{{- /* Security context of pods. An id of 0 is left out, so that the cluster chooses one. */ -}}
{{- define "ringside.podSecurity" -}}
runAsNonRoot: true
{{- with int .Values.runAs }}
runAsUser: {{ . }}
runAsGroup: {{ . }}
{{- end }}
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "ringside.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}
