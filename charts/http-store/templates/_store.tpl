{{- define "store.taken" -}}
"8079": the probes
{{- end }}

{{- /* At most two tables are in memory. The store itself rejects more than a quarter of the usable heap. */ -}}
{{- define "http-store.check" -}}
{{- $share := 5 -}}
{{- $heap := mul (trimAll "MG" .Values.heap.max | int) (hasSuffix "G" .Values.heap.max | ternary 1024 1) -}}
{{- $least := mul $share (int .Values.lsm.flushMiB) -}}
{{- if gt $least $heap -}}
{{- fail (printf "lsm.flushMiB is %d: it is more than a fifth of heap.max (%s); lower it, or raise heap.max to at least %dM" (int .Values.lsm.flushMiB) .Values.heap.max $least) -}}
{{- end -}}
{{- end }}

{{- define "store.container" -}}
name: store
command:
  {{- include "store.java" . | nindent 2 }}
  # The ring and the HTTP server use internal APIs that Java 25 warns about and later versions will remove.
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
  - {name: RINGSIDE_FLUSH_MIB, value: {{ .Values.lsm.flushMiB | int | quote }}}
  - {name: RINGSIDE_BLOOM, value: {{ .Values.lsm.bloom | quote }}}
  - {name: RINGSIDE_COMPACTION, value: {{ .Values.lsm.compaction | quote }}}
  - {name: RINGSIDE_COMPACT_FROM, value: {{ .Values.lsm.compactFrom | int | quote }}}
  - {name: RINGSIDE_SYNC, value: {{ .Values.lsm.sync | quote }}}
  - {name: RINGSIDE_SYNC_MS, value: {{ .Values.lsm.syncMillis | int | quote }}}
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
  # JNA and the profiler unpack libraries here. The profiler also writes its stacks here.
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{- define "store.pod" -}}
volumes:
  - name: tmp
    emptyDir: {sizeLimit: 256Mi}
{{- end }}
