{{- /* A release name has up to 53 characters, a label up to 63: the name is shortened to leave room for suffixes. */ -}}
{{- define "stub.name" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{- define "stub.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- /* Labels of pods. Without the chart's version, because a new version would restart every pod. */ -}}
{{- define "stub.podLabels" -}}
{{ include "stub.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "stub.labels" -}}
{{ include "stub.podLabels" . }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "stub.image" -}}
{{- with .Values.image }}{{ if .registry }}{{ .registry }}/{{ end }}{{ end }}ringside-stub:{{ .Values.image.tag }}
{{- end }}

{{- /* Security context of pods. An id of 0 is left out, so that the cluster chooses one. */ -}}
{{- define "stub.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /* Checks that a schema cannot express. */ -}}
{{- define "stub.validate" -}}
{{- $taken := dict "8080" "the probes" -}}
{{- if .Values.metrics.enabled -}}
{{- $port := toString (int .Values.metrics.port) -}}
{{- with get $taken $port }}{{ fail (printf "metrics.port is %s: the port is used by %s; choose another port" $port .) }}{{ end -}}
{{- $_ := set $taken $port "metrics.port" -}}
{{- end -}}
{{- if .Values.profile.enabled -}}
{{- $port := toString (int .Values.profile.port) -}}
{{- with get $taken $port }}{{ fail (printf "profile.port is %s: the port is used by %s; choose another port" $port .) }}{{ end -}}
{{- $_ := set $taken $port "profile.port" -}}
{{- end -}}
{{- range $i, $type := .Values.server.types -}}
{{- $port := toString (add $.Values.port $i) -}}
{{- with get $taken $port }}{{ fail (printf "port is %d: server %s would listen on port %s, which is used by %s; choose another port" (int $.Values.port) $type $port .) }}{{ end -}}
{{- end -}}
{{- end }}

{{- /* type:port of every server, separated by commas. */ -}}
{{- define "stub.servers" -}}
{{- $entries := list -}}
{{- range $i, $type := .Values.server.types -}}
{{- $entries = append $entries (printf "%s:%d" $type (add $.Values.port $i)) -}}
{{- end -}}
{{- join "," $entries -}}
{{- end }}
