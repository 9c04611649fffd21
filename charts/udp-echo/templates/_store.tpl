{{- /* Leaves room for the longest name of a server. */ -}}
{{- define "store.release" -}}
{{- .Release.Name | trunc 43 | trimSuffix "-" -}}
{{- end }}

{{- define "store.protocol" -}}
UDP
{{- end }}

{{- define "store.portName" -}}
{{ include "store.portNameOfServer" . }}
{{- end }}

{{- define "store.container" -}}
name: udp-echo
command:
  {{- include "store.java" . | nindent 2 }}
  # The rings use internal APIs that Java 25 warns about and later versions will remove. The counters call the C library for the time.
  - --sun-misc-unsafe-memory-access=allow
  - --enable-native-access=ALL-UNNAMED
  {{- include "store.jvmOptions" . | nindent 2 }}
  - -jar
  - /opt/udp-echo/ringside-udp-echo.jar
env:
  {{- include "store.address" . | nindent 2 }}
  - {name: RINGSIDE_HANDLER, value: {{ .Values.handler | quote }}}
  - {name: RINGSIDE_HANDLERS, value: {{ .Values.handlers | quote }}}
  - {name: RINGSIDE_SLOTS, value: {{ .Values.slots | quote }}}
  - {name: RINGSIDE_RECEIVE_BUFFER, value: {{ int .Values.receiveBuffer | quote }}}
  - {name: RINGSIDE_PROBES_PORT, value: "8080"}
  {{- range list "metrics" "counters" "profile" }}
  {{- include "store.portOf" (list $ .) | nindent 2 }}
  {{- end }}
ports:
  - {name: probes, containerPort: 8080}
  {{- include "store.ports" . | nindent 2 }}
# Started: the threads of every server run. Ready: every server answers a datagram; under load the datagram may be lost, so the probe fails only
# after several attempts. Alive: no thread of a server has ended; the probe sends no datagram.
{{ include "store.probes" (dict "port" "probes" "startSeconds" 120 "readySeconds" 5 "failures" 6 "livePeriod" 10) }}
volumeMounts:
  - {name: tmp, mountPath: /tmp}
{{- end }}

{{- define "store.pod" -}}
volumes:
  - name: tmp # for the native libraries of JNA and of the profiler, and for profiles
    emptyDir: {sizeLimit: 256Mi}
{{- end }}
