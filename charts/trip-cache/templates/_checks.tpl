{{- /* Checks that a schema cannot express. */ -}}
{{- define "trip-cache.check" -}}
{{- include "trip-cache.validateSync" (dict "where" "rocksdb.wal" "wal" .Values.rocksdb.wal "sync" .Values.sync "bare" (has "rocksdb" .Values.server.types)) -}}
{{- range .Values.server.instances -}}
{{- $options := .options | default dict -}}
{{- $wal := get $options "wal" | default (toString $.Values.rocksdb.wal) | eq "true" -}}
{{- include "trip-cache.validateSync" (dict "where" (printf "wal of %s" .name) "wal" $wal "sync" (get $options "sync" | default $.Values.sync) "bare" (hasPrefix "rocksdb-" .name)) -}}
{{- end -}}
{{- include "trip-cache.validateAerospike" . -}}
{{- include "trip-cache.validateKafka" . -}}
{{- end }}

{{- /* Rejects a sync of a log that is switched off, for one server. */ -}}
{{- define "trip-cache.validateSync" -}}
{{- if and .bare (not .wal) (ne .sync "never") -}}
{{- fail (printf "%s is false: without the log there is nothing to sync, but sync is %s; set sync to never" .where .sync) -}}
{{- end -}}
{{- end }}
