{{- /* A release name has up to 53 characters, a label up to 63: the name is shortened to leave room for suffixes. */ -}}
{{- define "udp-echo.name" -}}
{{- .Release.Name | trunc 43 | trimSuffix "-" -}}
{{- end }}

{{- define "udp-echo.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- /* Labels of pods. Without the chart's version, because a new version would restart every pod. */ -}}
{{- define "udp-echo.podLabels" -}}
{{ include "udp-echo.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "udp-echo.labels" -}}
{{ include "udp-echo.podLabels" . }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "udp-echo.image" -}}
{{- with .Values.image }}{{ if .registry }}{{ .registry }}/{{ end }}{{ end }}ringside-udp-echo:{{ .Values.image.tag }}
{{- end }}

{{- /* Security context of pods. An id of 0 is left out, so that the cluster chooses one. */ -}}
{{- define "udp-echo.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /* A port name has at most 15 characters. The shortened names stay distinct. */ -}}
{{- define "udp-echo.portName" -}}
{{- . | trunc 15 | trimSuffix "-" -}}
{{- end }}

{{- /* Checks that a schema cannot express. */ -}}
{{- define "udp-echo.validate" -}}
{{- range $i, $type := .Values.server.types -}}
{{- if eq (int (add $.Values.port $i)) (int $.Values.counters.port) }}{{ fail (printf "port is %d: server %s would listen on UDP port %d, which is used by counters.port; choose another port" (int $.Values.port) $type (int $.Values.counters.port)) }}{{ end -}}
{{- end -}}
{{- $taken := dict "8080" "the probes" -}}
{{- range $name := ternary (list "metrics" "profile") (list "metrics") .Values.profile.enabled -}}
{{- $port := toString (int (get $.Values $name).port) -}}
{{- with get $taken $port }}{{ fail (printf "%s.port is %s: the port is used by %s; choose another port" $name $port .) }}{{ end -}}
{{- $_ := set $taken $port (printf "%s.port" $name) -}}
{{- end -}}
{{- end }}

{{- /* type:port of every server, separated by commas. */ -}}
{{- define "udp-echo.servers" -}}
{{- $entries := list -}}
{{- range $i, $type := .Values.server.types -}}
{{- $entries = append $entries (printf "%s:%d" $type (add $.Values.port $i)) -}}
{{- end -}}
{{- join "," $entries -}}
{{- end }}
