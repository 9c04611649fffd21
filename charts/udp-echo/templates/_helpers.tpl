{{- /* Release names may be 53 characters long; what is put behind them here must fit the 63 of a label. */ -}}
{{- define "udp-echo.name" -}}
{{- .Release.Name | trunc 43 | trimSuffix "-" -}}
{{- end }}

{{- define "udp-echo.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- /* Of pods: without the chart's version, or a new one would start every pod anew. */ -}}
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

{{- /* An id of 0 is left out: the cluster chooses one. */ -}}
{{- define "udp-echo.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /* Names of ports have 15 characters; these are told apart by fewer. */ -}}
{{- define "udp-echo.portName" -}}
{{- . | trunc 15 | trimSuffix "-" -}}
{{- end }}

{{- /* What a schema cannot say. */ -}}
{{- define "udp-echo.validate" -}}
{{- range $i, $type := .Values.server.types -}}
{{- if eq (int (add $.Values.port $i)) (int $.Values.counters.port) }}{{ fail (printf "the server %s would listen on UDP port %d, which is that of counters.port: choose another port" $type (int $.Values.counters.port)) }}{{ end -}}
{{- end -}}
{{- $taken := dict "8080" "the probes" -}}
{{- range $name := ternary (list "metrics" "profile") (list "metrics") .Values.profile.enabled -}}
{{- $port := toString (int (get $.Values $name).port) -}}
{{- with get $taken $port }}{{ fail (printf "%s.port %s is that of %s: choose another" $name $port .) }}{{ end -}}
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
