{{- /* Release names may be 53 characters long; what is put behind them here must fit the 63 of a label. */ -}}
{{- define "trip-cache.name" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{- define "trip-cache.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- /* Of pods: without the chart's version, or a new one would start every pod anew. */ -}}
{{- define "trip-cache.podLabels" -}}
{{ include "trip-cache.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "trip-cache.labels" -}}
{{ include "trip-cache.podLabels" . }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "trip-cache.image" -}}
{{- with .Values.image }}{{ if .registry }}{{ .registry }}/{{ end }}{{ end }}ringside-trip-cache:{{ .Values.image.tag }}
{{- end }}

{{- /* An id of 0 is left out: the cluster chooses one. */ -}}
{{- define "trip-cache.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /* Which nodes take its pods. */ -}}
{{- define "trip-cache.nodeSelector" -}}
{{- $nodes := .Values.nodeSelector -}}
{{- with .Values.storage.disk }}{{ $nodes = mustMerge (dict "ringside.dev/disk" .) $nodes }}{{ end -}}
{{- toYaml $nodes -}}
{{- end }}

{{- /* A rule of a policy's egress: whoever answers questions for names. */ -}}
{{- define "trip-cache.names" -}}
- to: {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
  ports:
    {{- range .Values.networkPolicy.dns.ports }}
    - {port: {{ . }}, protocol: UDP}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
{{- end }}

{{- /* What a schema cannot say. */ -}}
{{- define "trip-cache.validate" -}}
{{- include "trip-cache.validateSync" (dict "where" "rocksdb.wal" "wal" .Values.rocksdb.wal "sync" .Values.sync "bare" (has "rocksdb" .Values.server.types)) -}}
{{- range .Values.server.instances -}}
{{- $options := .options | default dict -}}
{{- $wal := get $options "wal" | default (toString $.Values.rocksdb.wal) | eq "true" -}}
{{- include "trip-cache.validateSync" (dict "where" (printf "wal of %s" .name) "wal" $wal "sync" (get $options "sync" | default $.Values.sync) "bare" (hasPrefix "rocksdb-" .name)) -}}
{{- end -}}
{{- include "trip-cache.validateAerospike" . -}}
{{- include "trip-cache.validateKafka" . -}}
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
{{- if .Values.kill.enabled -}}
{{- $port := toString (int .Values.kill.port) -}}
{{- with get $taken $port }}{{ fail (printf "kill.port %s is that of %s: choose another" $port .) }}{{ end -}}
{{- $_ := set $taken $port "kill.port" -}}
{{- end -}}
{{- $hosted := include "trip-cache.hosted" . | fromJsonArray -}}
{{- range $i, $server := $hosted -}}
{{- $port := toString (add $.Values.port $i) -}}
{{- with get $taken $port }}{{ fail (printf "the server %s would listen on port %s, which is that of %s: choose another port" $server $port .) }}{{ end -}}
{{- end -}}
{{- if ne (len $hosted) (len (uniq $hosted)) -}}
{{- fail (printf "server.instances names a server twice in %s: give each a name of its own" (join ", " $hosted)) -}}
{{- end -}}
{{- end }}

{{- /* Of a server: without a log there is nothing to sync. */ -}}
{{- define "trip-cache.validateSync" -}}
{{- if and .bare (not .wal) (ne .sync "never") -}}
{{- fail (printf "%s is false, which leaves nothing to sync, and sync is %s: set it to never" .where .sync) -}}
{{- end -}}
{{- end }}

{{- /* The names of all servers, in the order of their ports. */ -}}
{{- define "trip-cache.hosted" -}}
{{- $names := .Values.server.types -}}
{{- range .Values.server.instances }}{{ $names = append $names .name }}{{ end -}}
{{- toJson $names -}}
{{- end }}

{{- /* name:port of every server, separated by commas. */ -}}
{{- define "trip-cache.servers" -}}
{{- $entries := list -}}
{{- range $i, $server := include "trip-cache.hosted" . | fromJsonArray -}}
{{- $entries = append $entries (printf "%s:%d" $server (add $.Values.port $i)) -}}
{{- end -}}
{{- join "," $entries -}}
{{- end }}

{{- /* The environment's name of an option that one server has. */ -}}
{{- define "trip-cache.option" -}}
{{- $names := dict "syncMillis" "SYNC_MS" "blockCacheMiB" "BLOCK_CACHE_MIB" "memtableMiB" "MEMTABLE_MIB" "mapMiB" "MAP_MIB" "readAhead" "READ_AHEAD" -}}
RINGSIDE_{{ .server | upper | replace "-" "_" }}_{{ get $names .option | default (.option | upper) }}
{{- end }}
