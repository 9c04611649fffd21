{{- define "store.firstPort" -}}
{{ .Values.rpc.port }}
{{- end }}

{{- define "store.firstPortName" -}}
rpc.port
{{- end }}

{{- /* Port of Cassandra's own CQL server; empty without it. */ -}}
{{- define "cassandra.nativePort" -}}
{{- range include "store.servers" . | fromJsonArray -}}
{{- if eq .name "native" }}{{ .port }}{{ end -}}
{{- end -}}
{{- end }}

{{- /* Nodes form a ring, as the library has it. */ -}}
{{- define "store.governing" }}{{ include "store.ring" . }}{{ end }}
{{- define "store.ingress" }}{{ include "store.ringIngress" . }}{{ end }}
{{- define "store.egress" }}{{ include "store.ringEgress" . }}{{ end }}
{{- define "store.set" }}{{ include "store.ringSet" . }}{{ end }}

{{- define "store.configuration" -}}
{{ include (print .Template.BasePath "/configmap.yaml") . | sha256sum | trunc 16 }}
{{- end }}

{{- define "store.container" -}}
name: cassandra
args: [run]
env:
  - name: POD_NAME
    valueFrom: {fieldRef: {fieldPath: metadata.name}}
  - name: POD_IP
    valueFrom: {fieldRef: {fieldPath: status.podIP}}
  - {name: RINGSIDE_NODES, value: {{ .Values.nodes | quote }}}
  - {name: RINGSIDE_SEED, value: "{{ include "store.name" . }}-0.{{ include "store.ring" . }}"}
  - {name: RINGSIDE_STORAGE_PORT, value: "7000"}
  - {name: RINGSIDE_HEALTH_ADDRESS, value: ":8080"}
  - {name: RINGSIDE_SERVERS, value: {{ include "store.told" . | quote }}}
  - {name: RINGSIDE_SINGLE_CONNECTION_SERVERS, value: {{ index .Chart.Annotations "ringside.dev/single-connection-servers" | quote }}}
  {{- include "store.options" . | nindent 2 }}
  {{- range list "counters" "profile" }}
  {{- include "store.portOf" (list $ .) | nindent 2 }}
  {{- end }}
  {{- range $name, $value := .Values.serverEnvironment }}
  - {name: {{ $name }}, value: {{ $value | replace "$" "$$" | quote }}}
  {{- end }}
ports:
  - {name: storage, containerPort: 7000}
  - {name: health, containerPort: 8080}
  {{- include "store.ports" . | nindent 2 }}
# Started: the node and every server listen. The limit includes the wait for the seed. Ready: this node's servers answer requests. In a new ring, all
# nodes must also have been seen once with one schema. If a node is lost later, the others stay ready. The first probe is sent as soon as the node has
# started. Alive: still listening. The probe opens no connection to a server under test.
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
  # For the rendered configuration, the garbage collector's log, native libraries that Java unpacks, and profiles.
  - name: work
    emptyDir: {sizeLimit: 256Mi}
{{- end }}
