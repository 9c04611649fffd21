{{- /* Names of all servers, in the order of their ports, as JSON. */ -}}
{{- define "store.hosted" -}}
{{- $names := .Values.server.types -}}
{{- range .Values.server.instances }}{{ $names = append $names .name }}{{ end -}}
{{- toJson $names -}}
{{- end }}

{{- /* Port of the first server. The others use the following ports. */ -}}
{{- define "store.firstPort" -}}
{{ .Values.port }}
{{- end }}

{{- /* Protocol of the servers, if it is not TCP. */ -}}
{{- define "store.protocol" -}}
{{- end }}

{{- /* Name of a server's port, from its server and index. */ -}}
{{- define "store.portName" -}}
server-{{ .index }}
{{- end }}

{{- /* Name of a server's port that has the server's name. A port name has at most 15 characters. */ -}}
{{- define "store.portNameOfServer" -}}
{{- .server | trunc 15 | trimSuffix "-" -}}
{{- end }}

{{- /* The servers, as JSON: name, port, portName, service. */ -}}
{{- define "store.servers" -}}
{{- $first := include "store.firstPort" . | int -}}
{{- $servers := list -}}
{{- range $i, $name := include "store.hosted" . | fromJsonArray -}}
{{- $portName := include "store.portName" (dict "server" $name "index" $i) -}}
{{- $servers = append $servers (dict "name" $name "port" (add $first $i) "portName" $portName "service" (include "store.service" (merge (dict "Server" $name) $))) -}}
{{- end -}}
{{- toJson $servers -}}
{{- end }}

{{- /* name:port of every server, separated by commas. */ -}}
{{- define "store.told" -}}
{{- $entries := list -}}
{{- range include "store.servers" . | fromJsonArray }}{{ $entries = append $entries (printf "%s:%d" .name (int .port)) }}{{ end -}}
{{- join "," $entries -}}
{{- end }}

{{- /* Name of the headless Service of .Server, which load connects to. */ -}}
{{- define "store.service" -}}
{{ include "store.name" . }}-{{ .Server }}
{{- end }}

{{- define "store.services" -}}
{{- range include "store.servers" . | fromJsonArray }}
---
# Endpoints for load on {{ .name }}: pods that are ready.
apiVersion: v1
kind: Service
metadata:
  name: {{ .service }}
  labels:
    {{- include "store.labels" $ | nindent 4 }}
    ringside.dev/server: {{ .name }}
spec:
  clusterIP: None
  selector: {{- include "store.selector" $ | nindent 4 }}
  ports:
    - {name: server, port: {{ .port }}, targetPort: {{ .portName }}{{ with include "store.protocol" $ }}, protocol: {{ . }}{{ end }}}
{{- end }}
{{- end }}
