{{- /* Beginning of a Java command: heap, and options that profiles need. */ -}}
{{- define "store.java" -}}
- java
- -Xms{{ .Values.heap.max }}
- -Xmx{{ .Values.heap.max }}
- -Xss256k
- -XX:+PerfDisableSharedMem
- -XX:+ExitOnOutOfMemoryError
{{- include "store.profilable" . }}
{{- end }}

{{- define "store.profilable" -}}
{{- if .Values.profile.enabled }}
# Profiles attribute inlined code exactly. The compiled code is the same.
- -XX:+UnlockDiagnosticVMOptions
- -XX:+DebugNonSafepoints
{{- end }}
{{- end }}

{{- /* JVM options of every store, and those of the value jvmOptions. */ -}}
{{- define "store.jvmOptions" -}}
- -Djava.net.preferIPv4Stack=true
{{- range .Values.jvmOptions }}
- {{ . | quote }}
{{- end }}
{{- end }}

{{- /* Variables with the pod's address and the servers' names and ports. */ -}}
{{- define "store.address" -}}
- name: POD_IP
  valueFrom: {fieldRef: {fieldPath: status.podIP}}
- {name: RINGSIDE_ADDRESS, value: $(POD_IP)}
- {name: RINGSIDE_SERVERS, value: {{ include "store.told" . | quote }}}
{{- end }}

{{- /* Last part of the name of the variable that sets an option. */ -}}
{{- define "store.option" -}}
{{ . | snakecase | upper }}
{{- end }}

{{- /* Variables with the options of single servers. Escapes $, because the kubelet replaces $(NAME) and reads $$ as $. */ -}}
{{- define "store.options" -}}
{{- range $server := .Values.server.instances }}
{{- range $name, $value := $server.options }}
- {name: RINGSIDE_{{ $server.name | upper | replace "-" "_" }}_{{ include "store.option" $name }}, value: {{ $value | replace "$" "$$" | quote }}}
{{- end }}
{{- end }}
{{- end }}

{{- /* Variable with the port of a part that is on, as in (list . "kill"). */ -}}
{{- define "store.portOf" -}}
{{- $name := last . }}
{{- with get (first .).Values $name }}
{{- if include "store.on" . }}
- {name: RINGSIDE_{{ upper $name }}_PORT, value: {{ .port | int | quote }}}
{{- end }}
{{- end }}
{{- end }}

{{- /* Ports of the servers, and of what is on. */ -}}
{{- define "store.ports" -}}
{{- range include "store.servers" . | fromJsonArray }}
- {name: {{ .portName }}, containerPort: {{ .port }}{{ with include "store.protocol" $ }}, protocol: {{ . }}{{ end }}}
{{- end }}
{{- range $name := list "metrics" "counters" "kill" "profile" "maintenance" }}
{{- with get $.Values $name }}
{{- if include "store.on" . }}
- {name: {{ $name }}, containerPort: {{ .port }}{{ if eq $name "counters" }}, protocol: UDP{{ end }}}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- /* Probes of a port that answers under /live and /ready. A probe under load waits behind other requests. */ -}}
{{- define "store.probes" -}}
startupProbe:
  httpGet: {path: /live, port: {{ .port | default "health" }}}
  periodSeconds: 1
  failureThreshold: {{ .startSeconds }}
readinessProbe:
  httpGet: {path: /ready, port: {{ .port | default "health" }}}
  periodSeconds: 5
  timeoutSeconds: {{ .readySeconds }}
  failureThreshold: {{ .failures }}
livenessProbe:
  httpGet: {path: /live, port: {{ .port | default "health" }}}
  periodSeconds: {{ .livePeriod }}
  timeoutSeconds: 5
  failureThreshold: {{ .failures }}
{{- end }}
