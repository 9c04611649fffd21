{{- /* First part of names. A release name has up to 53 characters, a label up to 63: the name is shortened to leave room for suffixes. */ -}}
{{- define "store.release" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{- /* First part of the names of the store's own objects. */ -}}
{{- define "store.name" -}}
{{- include "store.release" . -}}
{{- end }}

{{- define "store.component" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- /* Selects the store's pods. */ -}}
{{- define "store.selector" -}}
{{ include "store.component" . }}
{{- end }}

{{- define "store.version" -}}
{{ .Chart.AppVersion }}
{{- end }}

{{- define "store.origin" -}}
app.kubernetes.io/version: {{ include "store.version" . | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- /* Labels of pods. Without the chart's version, because a new version would restart every pod. */ -}}
{{- define "store.podLabels" -}}
{{ include "store.selector" . }}
{{ include "store.origin" . }}
{{- end }}

{{- define "store.labels" -}}
{{ include "store.component" . }}
{{ include "store.origin" . }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "store.image" -}}
{{- with .Values.image.registry }}{{ . }}/{{ end }}ringside-{{ .Chart.Name }}:{{ .Values.image.tag }}
{{- end }}

{{- /* Not empty if a part of the store is on. A part without enabled always is. */ -}}
{{- define "store.on" -}}
{{- if . }}{{ if dig "enabled" true . }}true{{ end }}{{ end -}}
{{- end }}
