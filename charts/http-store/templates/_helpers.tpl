{{- /* Release names may be 53 characters long; what is put behind them here must fit the 63 of a label. */ -}}
{{- define "http-store.name" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{- define "http-store.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- /* Of pods: without the chart's version, or a new one would start every pod anew. */ -}}
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

{{- /* An id of 0 is left out: the cluster chooses one. */ -}}
{{- define "http-store.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /* What a schema cannot say. */ -}}
{{- define "http-store.validate" -}}
{{- $share := 5 -}}{{- /* two tables are in memory at most; the store refuses a quarter of what its collector leaves it */ -}}
{{- $heap := mul (trimAll "MG" .Values.heap.max | int) (hasSuffix "G" .Values.heap.max | ternary 1024 1) -}}
{{- $least := mul $share (int .Values.lsm.flushMiB) -}}
{{- if gt $least $heap -}}
{{- fail (printf "lsm.flushMiB is %d, more than a fifth of heap.max %s: lower it, or raise heap.max to %dM at least" (int .Values.lsm.flushMiB) .Values.heap.max $least) -}}
{{- end -}}
{{- $taken := dict "8079" "the probes" -}}
{{- if .Values.metrics.enabled -}}
{{- $port := toString (int .Values.metrics.port) -}}
{{- with get $taken $port }}{{ fail (printf "metrics.port %s is that of %s: choose another" $port .) }}{{ end -}}
{{- $_ := set $taken $port "metrics.port" -}}
{{- end -}}
{{- if .Values.profile.enabled -}}
{{- $port := toString (int .Values.profile.port) -}}
{{- with get $taken $port }}{{ fail (printf "profile.port %s is that of %s: choose another" $port .) }}{{ end -}}
{{- $_ := set $taken $port "profile.port" -}}
{{- end -}}
{{- $hosted := include "http-store.hosted" . | fromJsonArray -}}
{{- range $i, $server := $hosted -}}
{{- $port := toString (add $.Values.port $i) -}}
{{- with get $taken $port }}{{ fail (printf "the server %s would listen on port %s, which is that of %s: choose another port" $server $port .) }}{{ end -}}
{{- end -}}
{{- if ne (len $hosted) (len (uniq $hosted)) -}}
{{- fail (printf "server.instances names a server twice in %s: give each a name of its own" (join ", " $hosted)) -}}
{{- end -}}
{{- end }}

{{- /* The names of all servers, in the order of their ports. */ -}}
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

{{- /* The environment's name of an option that one server has. */ -}}
{{- define "http-store.option" -}}
RINGSIDE_{{ .server | upper | replace "-" "_" }}_{{ .option | snakecase | upper }}
{{- end }}
