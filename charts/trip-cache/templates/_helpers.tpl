{{- /* A release name has up to 53 characters, a label up to 63: the name is shortened to leave room for suffixes. */ -}}
{{- define "trip-cache.name" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{- define "trip-cache.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- /* Labels of pods. Without the chart's version, because a new version would restart every pod. */ -}}
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

{{- /* Security context of pods. An id of 0 is left out, so that the cluster chooses one. */ -}}
{{- define "trip-cache.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /* Node labels that all pods require. */ -}}
{{- define "trip-cache.nodeSelector" -}}
{{- $nodes := .Values.nodeSelector -}}
{{- with .Values.storage.disk }}{{ $nodes = mustMerge (dict "ringside.dev/disk" .) $nodes }}{{ end -}}
{{- toYaml $nodes -}}
{{- end }}

{{- /* Egress rule that allows DNS. */ -}}
{{- define "trip-cache.names" -}}
- to: {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
  ports:
    {{- range .Values.networkPolicy.dns.ports }}
    - {port: {{ . }}, protocol: UDP}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
{{- end }}

{{- /* Checks that a schema cannot express. */ -}}
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
{{- with get $taken $port }}{{ fail (printf "metrics.port is %s: the port is used by %s; choose another port" $port .) }}{{ end -}}
{{- $_ := set $taken $port "metrics.port" -}}
{{- end -}}
{{- if .Values.profile.enabled -}}
{{- $port := toString (int .Values.profile.port) -}}
{{- with get $taken $port }}{{ fail (printf "profile.port is %s: the port is used by %s; choose another port" $port .) }}{{ end -}}
{{- $_ := set $taken $port "profile.port" -}}
{{- end -}}
{{- if .Values.kill.enabled -}}
{{- $port := toString (int .Values.kill.port) -}}
{{- with get $taken $port }}{{ fail (printf "kill.port is %s: the port is used by %s; choose another port" $port .) }}{{ end -}}
{{- $_ := set $taken $port "kill.port" -}}
{{- end -}}
{{- $hosted := include "trip-cache.hosted" . | fromJsonArray -}}
{{- range $i, $server := $hosted -}}
{{- $port := toString (add $.Values.port $i) -}}
{{- with get $taken $port }}{{ fail (printf "port is %d: server %s would listen on port %s, which is used by %s; choose another port" (int $.Values.port) $server $port .) }}{{ end -}}
{{- end -}}
{{- if ne (len $hosted) (len (uniq $hosted)) -}}
{{- fail (printf "server.instances: %s names a server twice; give each server its own name" (join ", " $hosted)) -}}
{{- end -}}
{{- end }}

{{- /* Rejects a sync of a log that is switched off, for one server. */ -}}
{{- define "trip-cache.validateSync" -}}
{{- if and .bare (not .wal) (ne .sync "never") -}}
{{- fail (printf "%s is false: without the log there is nothing to sync, but sync is %s; set sync to never" .where .sync) -}}
{{- end -}}
{{- end }}

{{- /* Names of all servers, in the order of their ports. */ -}}
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

{{- /* Name of the environment variable that sets an option of one server. */ -}}
{{- define "trip-cache.option" -}}
{{- $names := dict "syncMillis" "SYNC_MS" "blockCacheMiB" "BLOCK_CACHE_MIB" "memtableMiB" "MEMTABLE_MIB" "mapMiB" "MAP_MIB" "readAhead" "READ_AHEAD" -}}
RINGSIDE_{{ .server | upper | replace "-" "_" }}_{{ get $names .option | default (.option | upper) }}
{{- end }}
