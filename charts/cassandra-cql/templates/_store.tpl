{{- define "store.portName" -}}
server
{{- end }}

{{- /* Nodes form a ring, as the library has it. */ -}}
{{- define "store.governing" }}{{ include "store.ring" . }}{{ end }}
{{- define "store.ingress" }}{{ include "store.ringIngress" . }}{{ end }}
{{- define "store.egress" }}{{ include "store.ringEgress" . }}{{ end }}
{{- define "store.set" }}{{ include "store.ringSet" . }}{{ end }}

{{- define "store.configuration" -}}
{{ include "cassandra-cql.configMap" . | sha256sum | trunc 16 }}
{{- end }}

{{- define "store.container" -}}
{{- $variant := include "cassandra-cql.variant" . | fromJson }}
{{- $home := include "cassandra-cql.home" . -}}
name: cassandra
{{- if .Values.maintenance.upgradeTo }}
command: {{- include "cassandra-cql.start" . | nindent 2 }}
{{- end }}
args:
  - -Xms{{ .Values.heap.max }}
  - -Xmx{{ .Values.heap.max }}
  {{- if eq $variant.collector "CMS" }}
  - -Xmn{{ .Values.heap.young }}
  {{- end }}
  - -Xss256k
  - -XX:+PerfDisableSharedMem
  - -XX:+ExitOnOutOfMemoryError
  {{- include "store.profilable" . | nindent 2 }}
  - -XX:CompileCommand=quiet
  - -XX:CompileCommandFile={{ $home }}/hotspot_compiler
  # Measures memtables.
  - -javaagent:{{ $home }}/jamm.jar
  {{- if .Values.metrics.enabled }}
  - -javaagent:{{ $home }}/jmx-exporter.jar=$(POD_IP):{{ .Values.metrics.port }}:/etc/ringside/jmx.yaml
  {{- end }}
  {{- include "cassandra-cql.modules" . | nindent 2 }}
  - -Djava.net.preferIPv4Stack=true
  - -Djava.io.tmpdir=/tmp
  - -Djna.tmpdir=/tmp
  - -Dcassandra.config=file://{{ ternary "/tmp" "/etc/ringside" (not (empty .Values.maintenance.upgradeTo)) }}/cassandra.yaml
  - -Dcassandra.jmx.local.port=7199
  - -Dcassandra.ring_delay_ms={{ .Values.ringDelayMillis }}
  # The readiness probe checks the ring, so a node need not wait until gossip has settled.
  - -Dcassandra.skip_wait_for_gossip_to_settle=0
  # There are no users to create.
  - -Dcassandra.superuser_setup_delay_ms=-1
  {{- range concat .Values.jvmOptions (get .Values.collectors $variant.collector) .Values.extraJvmOptions .Values.gcLog }}
  - {{ . | quote }}
  {{- end }}
  - -cp
  - {{ include "cassandra-cql.classPath" . }}
  - dev.ringside.cassandra.node.NodeMain
env:
  - name: POD_NAME
    valueFrom: {fieldRef: {fieldPath: metadata.name}}
  - name: POD_IP
    valueFrom: {fieldRef: {fieldPath: status.podIP}}
  # As in the distribution's scripts. A base image without jemalloc does without it.
  - {name: MALLOC_ARENA_MAX, value: "4"}
  - {name: LD_PRELOAD, value: libjemalloc.so.2}
  - {name: RINGSIDE_NODES, value: {{ .Values.nodes | quote }}}
  - {name: RINGSIDE_SEED, value: "{{ include "store.name" . }}-0.{{ include "store.ring" . }}"}
  - {name: RINGSIDE_SERVERS, value: {{ include "store.told" . | quote }}}
  - {name: RINGSIDE_VERSION, value: {{ $variant.version | quote }}}
  - {name: RINGSIDE_JAVA, value: {{ $variant.java | int | quote }}}
  - {name: RINGSIDE_COLLECTOR, value: {{ $variant.collector | quote }}}
  - {name: RINGSIDE_DATA, value: /var/lib/cassandra}
  - {name: RINGSIDE_HEALTH_PORT, value: "8080"}
  {{- range list "counters" "profile" "maintenance" }}
  {{- include "store.portOf" (list $ .) | nindent 2 }}
  {{- end }}
  {{- if .Values.maintenance.upgradeTo }}
  - {name: RINGSIDE_UPGRADE_VERSION, value: {{ include "cassandra-cql.upgradedVersion" . | quote }}}
  {{- end }}
ports:
  - {name: storage, containerPort: 7000}
  - {name: health, containerPort: 8080}
  {{- include "store.ports" . | nindent 2 }}
# Started: the node serves CQL. The limit includes the wait for the seed, and the stream of data to a node that joins again. Ready: the node is alive.
# In a new ring, all nodes must also have been seen once with one schema. If a node is lost later, the others stay ready. Alive: the node still serves
# CQL, or left the ring by an order.
{{ include "store.probes" (dict "startSeconds" 600 "readySeconds" 5 "failures" 3 "livePeriod" 20) }}
volumeMounts:
  - {name: data, mountPath: /var/lib/cassandra}
  - {name: configuration, mountPath: /etc/ringside, readOnly: true}
  - {name: work, mountPath: /tmp}
{{- end }}

{{- define "store.pod" -}}
volumes:
  - name: configuration
    configMap: {name: {{ include "store.name" . }}}
  # For the garbage collector's log, native libraries that Java unpacks, and profiles.
  - name: work
    emptyDir: {sizeLimit: 256Mi}
{{- end }}
