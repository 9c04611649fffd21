{{- define "store.taken" -}}
"8079": the probes
{{- end }}

{{- define "store.option" -}}
{{- $names := dict "syncMillis" "SYNC_MS" "blockCacheMiB" "BLOCK_CACHE_MIB" "memtableMiB" "MEMTABLE_MIB" "mapMiB" "MAP_MIB" "readAhead" "READ_AHEAD" -}}
{{ get $names . | default (upper .) }}
{{- end }}

{{- /* The store connects to Aerospike and Kafka, both by DNS name. */ -}}
{{- define "store.egress" -}}
{{- if include "trip-cache.asksAerospike" . }}
- to:
    - podSelector:
        matchLabels: {{- include "trip-cache.asdSelector" . | nindent 10 }}
  ports:
    - {port: service}
{{- end }}
{{- if .Values.kafka.enabled }}
- to:
    - podSelector:
        matchLabels: {{- include "trip-cache.kafkaSelector" . | nindent 10 }}
  ports:
    - {port: broker}
{{- end }}
{{- if or (include "trip-cache.asksAerospike" .) .Values.kafka.enabled }}
{{ include "store.names" . }}
{{- end }}
{{- end }}

{{- define "store.container" -}}
name: store
command:
  {{- include "store.java" . | nindent 2 }}
  # RocksDB and LMDB are native libraries, which later Java versions load only with this option. LMDB's binding uses internal APIs
  # that later versions will remove. Java 25 warns about both.
  - --sun-misc-unsafe-memory-access=allow
  - --enable-native-access=ALL-UNNAMED
  {{- include "store.jvmOptions" . | nindent 2 }}
  - -jar
  - /opt/trip-cache/ringside-trip-cache.jar
env:
  {{- include "store.address" . | nindent 2 }}
  - {name: RINGSIDE_WORKERS, value: {{ .Values.workers | int | quote }}}
  - {name: RINGSIDE_SYNC, value: {{ .Values.sync | quote }}}
  - {name: RINGSIDE_SYNC_MS, value: {{ .Values.syncMillis | int | quote }}}
  - {name: RINGSIDE_WAL, value: {{ .Values.rocksdb.wal | quote }}}
  - {name: RINGSIDE_BLOCK_CACHE_MIB, value: {{ .Values.rocksdb.blockCacheMiB | int | quote }}}
  - {name: RINGSIDE_MEMTABLE_MIB, value: {{ .Values.rocksdb.memtableMiB | int | quote }}}
  - {name: RINGSIDE_COMPRESSION, value: {{ .Values.rocksdb.compression | quote }}}
  - {name: RINGSIDE_PARALLELISM, value: {{ .Values.rocksdb.parallelism | int | quote }}}
  - {name: RINGSIDE_MAP_MIB, value: {{ .Values.lmdb.mapMiB | int | quote }}}
  - {name: RINGSIDE_READ_AHEAD, value: {{ .Values.lmdb.readAhead | quote }}}
  {{- if include "trip-cache.asksAerospike" . }}
  - {name: RINGSIDE_AEROSPIKE_HOST, value: {{ include "trip-cache.asd" . }}}
  {{- end }}
  {{- if .Values.kafka.enabled }}
  - {name: RINGSIDE_KAFKA_BROKERS, value: {{ include "trip-cache.kafkaBrokers" . | quote }}}
  {{- end }}
  {{- include "store.options" . | nindent 2 }}
  - {name: RINGSIDE_DATA, value: /var/lib/trip-cache/data}
  - {name: RINGSIDE_HEALTH_PORT, value: "8079"}
  - {name: RINGSIDE_METRICS_PORT, value: {{ .Values.metrics.enabled | ternary .Values.metrics.port 0 | int | quote }}}
  - {name: RINGSIDE_COUNTERS_PORT, value: {{ .Values.counters.enabled | ternary .Values.counters.port 0 | int | quote }}}
  {{- range list "kill" "profile" }}
  {{- include "store.portOf" (list $ .) | nindent 2 }}
  {{- end }}
ports:
  - {name: health, containerPort: 8079}
  {{- include "store.ports" . | nindent 2 }}
# Started: the caches' data were recovered, and every server listens. Ready: every server acknowledges an empty packet. Alive: puts into the caches
# succeed; the probe opens no connection to a server under test.
{{ include "store.probes" (dict "startSeconds" 600 "readySeconds" 10 "failures" 6 "livePeriod" 10) }}
volumeMounts:
  - {name: data, mountPath: /var/lib/trip-cache}
  # RocksDB, LMDB, JNA and the profiler unpack native libraries here: 20 MB that must be executable.
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{- define "store.pod" -}}
{{- if .Values.kafka.enabled }}
initContainers: {{- include "trip-cache.topics" . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {sizeLimit: 512Mi}
{{- end }}
