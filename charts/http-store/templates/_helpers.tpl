{{- /* A release name has up to 53 characters, a label up to 63: the name is shortened to leave room for suffixes. */ -}}
{{- define "http-store.name" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{- define "http-store.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- /* Labels of pods. Without the chart's version, because a new version would restart every pod. */ -}}
{{- define "http-store.podLabels" -}}
{{ include "http-store.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "http-store.labels" -}}
{{ include "http-store.podLabels" . }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "http-store.image" -}}
{{- with .Values.image }}{{ if .registry }}{{ .registry }}/{{ end }}{{ end }}ringside-http-store:{{ .Values.image.tag }}
{{- end }}

{{- /* Security context of pods. An id of 0 is left out, so that the cluster chooses one. */ -}}
{{- define "http-store.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /* Checks that a schema cannot express. */ -}}
{{- define "http-store.validate" -}}
{{- $share := 5 -}}{{- /* At most two tables are in memory. The store itself rejects more than a quarter of the usable heap. */ -}}
{{- $heap := mul (trimAll "MG" .Values.heap.max | int) (hasSuffix "G" .Values.heap.max | ternary 1024 1) -}}
{{- $least := mul $share (int .Values.lsm.flushMiB) -}}
{{- if gt $least $heap -}}
{{- fail (printf "lsm.flushMiB is %d: it is more than a fifth of heap.max (%s); lower it, or raise heap.max to at least %dM" (int .Values.lsm.flushMiB) .Values.heap.max $least) -}}
{{- end -}}
{{- $taken := dict "8079" "the probes" -}}
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
{{- $hosted := include "http-store.hosted" . | fromJsonArray -}}
{{- range $i, $server := $hosted -}}
{{- $port := toString (add $.Values.port $i) -}}
{{- with get $taken $port }}{{ fail (printf "port is %d: server %s would listen on port %s, which is used by %s; choose another port" (int $.Values.port) $server $port .) }}{{ end -}}
{{- end -}}
{{- if ne (len $hosted) (len (uniq $hosted)) -}}
{{- fail (printf "server.instances: %s names a server twice; give each server its own name" (join ", " $hosted)) -}}
{{- end -}}
{{- end }}

{{- /* Names of all servers, in the order of their ports. */ -}}
{{- define "http-store.hosted" -}}
{{- $names := .Values.server.types -}}
{{- range .Values.server.instances }}{{ $names = append $names .name }}{{ end -}}
{{- toJson $names -}}
{{- end }}

{{- /* name:port of every server, separated by commas. */ -}}
{{- define "http-store.servers" -}}
{{- $entries := list -}}
{{- range $i, $server := include "http-store.hosted" . | fromJsonArray -}}
{{- $entries = append $entries (printf "%s:%d" $server (add $.Values.port $i)) -}}
{{- end -}}
{{- join "," $entries -}}
{{- end }}

{{- /* Name of the environment variable that sets an option of one server. */ -}}
{{- define "http-store.option" -}}
RINGSIDE_{{ .server | upper | replace "-" "_" }}_{{ .option | snakecase | upper }}
{{- end }}
