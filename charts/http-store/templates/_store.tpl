{{- define "store.taken" -}}
"8079": the probes
{{- end }}

{{- define "store.container" -}}
name: store
command:
  {{- include "store.java" . | nindent 2 }}
  # RocksDB is a native library, which later Java versions load only with this option. The ring and the HTTP server use internal APIs that later
  # versions will remove. Java 25 warns about both.
  - --sun-misc-unsafe-memory-access=allow
  - --enable-native-access=ALL-UNNAMED
  {{- include "store.jvmOptions" . | nindent 2 }}
  - -jar
  - /opt/http-store/ringside-http-store.jar
env:
  {{- include "store.address" . | nindent 2 }}
  - {name: RINGSIDE_WORKERS, value: {{ .Values.workers | int | quote }}}
  - {name: RINGSIDE_QUEUE, value: {{ .Values.queue | int | quote }}}
  - {name: RINGSIDE_SELECTORS, value: {{ .Values.selectors | int | quote }}}
  {{- include "store.options" . | nindent 2 }}
  - {name: RINGSIDE_DATA, value: /var/lib/http-store/data}
  - {name: RINGSIDE_SYNC, value: {{ .Values.sync | quote }}}
  - {name: RINGSIDE_SYNC_MS, value: {{ .Values.syncMillis | int | quote }}}
  - {name: RINGSIDE_MEMTABLE_MIB, value: {{ .Values.rocksdb.memtableMiB | int | quote }}}
  - {name: RINGSIDE_BLOCK_CACHE_MIB, value: {{ .Values.rocksdb.blockCacheMiB | int | quote }}}
  - {name: RINGSIDE_BLOOM, value: {{ .Values.rocksdb.bloom | quote }}}
  - {name: RINGSIDE_COMPACTION, value: {{ .Values.rocksdb.compaction | quote }}}
  - {name: RINGSIDE_HEALTH_PORT, value: "8079"}
  - {name: RINGSIDE_METRICS_PORT, value: {{ .Values.metrics.enabled | ternary .Values.metrics.port 0 | int | quote }}}
  - {name: RINGSIDE_COUNTERS_PORT, value: {{ .Values.counters.enabled | ternary .Values.counters.port 0 | int | quote }}}
  {{- include "store.portOf" (list . "profile") | nindent 2 }}
ports:
  - {name: health, containerPort: 8079}
  {{- include "store.ports" . | nindent 2 }}
# Started: stored data were recovered, and every server listens. Ready: every server answers. Alive: writes to disk succeed; the probe opens no
# connection to a server under test.
{{ include "store.probes" (dict "startSeconds" 600 "readySeconds" 10 "failures" 6 "livePeriod" 10) }}
volumeMounts:
  - {name: data, mountPath: /var/lib/http-store}
  # RocksDB, JNA and the profiler unpack native libraries here: 20 MB that must be executable. The profiler also writes its stacks here.
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{- define "store.pod" -}}
volumes:
  - name: tmp
    emptyDir: {sizeLimit: 256Mi}
{{- end }}
