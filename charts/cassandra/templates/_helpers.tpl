{{- /* Release names may be 53 characters long; what is put behind them here must fit the 63 of a label. */ -}}
{{- define "cassandra.name" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{- /* The headless Service through which nodes find each other. */ -}}
{{- define "cassandra.ring" -}}
{{ include "cassandra.name" . }}-ring
{{- end }}

{{- define "cassandra.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- define "cassandra.labels" -}}
{{ include "cassandra.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "cassandra.image" -}}
{{- with .Values.image }}{{ if .registry }}{{ .registry }}/{{ end }}{{ end }}ringside-cassandra:{{ .Values.image.tag }}
{{- end }}

{{- define "cassandra.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "cassandra.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- /* type:port of every server, separated by commas. */ -}}
{{- define "cassandra.servers" -}}
{{- $entries := list -}}
{{- range $i, $type := .Values.server.types -}}
{{- $entries = append $entries (printf "%s:%d" $type (add $.Values.rpc.port $i)) -}}
{{- end -}}
{{- join "," $entries -}}
{{- end }}

{{- /* What a schema cannot say. */ -}}
{{- define "cassandra.validate" -}}
{{- if gt (int .Values.replicationFactor) (int .Values.nodes) -}}
{{- fail (printf "replicationFactor is %d but there are only %d nodes: lower replicationFactor or raise nodes" (int .Values.replicationFactor) (int .Values.nodes)) -}}
{{- end -}}
{{- if gt (int .Values.rpc.minThreads) (int .Values.rpc.maxThreads) -}}
{{- fail (printf "rpc.minThreads is %d but rpc.maxThreads only %d: lower the first or raise the second" (int .Values.rpc.minThreads) (int .Values.rpc.maxThreads)) -}}
{{- end -}}
{{- $ours := include "cassandra.settings" . | fromYaml -}}
{{- range $key := keys .Values.cassandra | sortAlpha -}}
{{- if has $key (list "cluster_name" "num_tokens" "initial_token" "auto_bootstrap" "partitioner" "seed_provider" "listen_address" "rpc_address" "start_rpc" "rpc_port" "rpc_server_type" "rpc_min_threads" "rpc_max_threads" "storage_port") -}}
{{- fail (printf "cassandra.%s is set by the chart itself: remove it from the values" $key) -}}
{{- end -}}
{{- end -}}
{{- end }}
