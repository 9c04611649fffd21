{{- define "store.portName" -}}
{{ include "store.portNameOfServer" . }}
{{- end }}

{{- define "store.container" -}}
name: stub
command:
  {{- include "store.java" . | nindent 2 }}
  {{- include "store.jvmOptions" . | nindent 2 }}
  {{- if .Values.metrics.enabled }}
  - -javaagent:/opt/stub/jmx_prometheus_javaagent-1.0.1.jar=$(POD_IP):{{ .Values.metrics.port }}:/etc/ringside/jmx.yaml
  {{- end }}
  - -jar
  - /opt/stub/ringside-stub.jar
env:
  {{- include "store.address" . | nindent 2 }}
  - {name: RINGSIDE_HANDLER, value: {{ .Values.handler | quote }}}
  - {name: RINGSIDE_WORKERS, value: {{ .Values.workers | quote }}}
  - {name: RINGSIDE_SELECTORS, value: {{ .Values.selectors | quote }}}
  - {name: RINGSIDE_HEALTH_PORT, value: "8080"}
  {{- include "store.portOf" (list . "profile") | nindent 2 }}
ports:
  - {name: health, containerPort: 8080}
  {{- include "store.ports" . | nindent 2 }}
# Started: every server listens. Ready: every server answers a call that the handler does not delay. Alive: no server has ended; the probe opens no
# connection to a server under test.
{{ include "store.probes" (dict "startSeconds" 120 "readySeconds" 10 "failures" 6 "livePeriod" 10) }}
volumeMounts:
  # The profiler unpacks its library here, and writes its stacks.
  - {name: tmp, mountPath: /tmp}
  {{- if .Values.metrics.enabled }}
  - {name: configuration, mountPath: /etc/ringside, readOnly: true}
  {{- end }}
{{- end }}

{{- define "store.pod" -}}
volumes:
  - name: tmp
    emptyDir: {sizeLimit: 256Mi}
  {{- if .Values.metrics.enabled }}
  - name: configuration
    configMap: {name: {{ include "store.name" . }}}
  {{- end }}
{{- end }}
