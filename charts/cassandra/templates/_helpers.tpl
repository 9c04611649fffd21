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

{{- /* Of pods: without the chart's version, or a new one would start every pod anew. */ -}}
{{- define "cassandra.podLabels" -}}
{{ include "cassandra.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "cassandra.labels" -}}
{{ include "cassandra.podLabels" . }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "cassandra.image" -}}
{{- with .Values.image }}{{ if .registry }}{{ .registry }}/{{ end }}{{ end }}ringside-cassandra:{{ .Values.image.tag }}
{{- end }}

{{- /* An id of 0 is left out: the cluster chooses one. */ -}}
{{- define "cassandra.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /*
The commit log's bound, in MB: 3.11 takes a quarter of the file system up to 8 GiB, but a volume may be a directory of a disk that
others share. So a quarter of what was asked for; Cassandra needs a few segments of 32 MB.
*/ -}}
{{- define "cassandra.commitLogSpace" -}}
{{- $bytes := include "cassandra.bytes" (dict "name" "storage.size" "quantity" .Values.storage.size) -}}
{{- $megabytes := divf $bytes 1048576.0 -}}
{{- max 128 (min 8192 (divf $megabytes 4.0 | int)) -}}
{{- end }}

{{- /* Each node on a machine (or zone) of its own. */ -}}
{{- define "cassandra.antiAffinity" -}}
topologyKey: {{ .Values.topologyKey }}
labelSelector:
  matchLabels: {{- include "cassandra.selector" . | nindent 4 }}
{{- end }}

{{- /* The names of all servers, in the order of their ports. */ -}}
{{- define "cassandra.hosted" -}}
{{- $names := .Values.server.types -}}
{{- range .Values.server.instances }}{{ $names = append $names .name }}{{ end -}}
{{- toJson $names -}}
{{- end }}

{{- /* name:port of every server, separated by commas. */ -}}
{{- define "cassandra.servers" -}}
{{- $entries := list -}}
{{- range $i, $server := include "cassandra.hosted" . | fromJsonArray -}}
{{- $entries = append $entries (printf "%s:%d" $server (add $.Values.rpc.port $i)) -}}
{{- end -}}
{{- join "," $entries -}}
{{- end }}

{{- /* The environment's name of an option that one server has. */ -}}
{{- define "cassandra.option" -}}
RINGSIDE_{{ .server | upper | replace "-" "_" }}_{{ .option | snakecase | upper }}
{{- end }}

{{- /* What a schema cannot say. */ -}}
{{- define "cassandra.validate" -}}
{{- if gt (int .Values.replicationFactor) (int .Values.nodes) -}}
{{- fail (printf "replicationFactor is %d but there are only %d nodes: lower replicationFactor or raise nodes" (int .Values.replicationFactor) (int .Values.nodes)) -}}
{{- end -}}
{{- if gt (int .Values.rpc.minThreads) (int .Values.rpc.maxThreads) -}}
{{- fail (printf "rpc.minThreads is %d but rpc.maxThreads only %d: lower the first or raise the second" (int .Values.rpc.minThreads) (int .Values.rpc.maxThreads)) -}}
{{- end -}}
{{- $taken := dict "7000" "the nodes' own traffic" "7199" "JMX" "8080" "the probes" -}}
{{- if .Values.metrics.enabled -}}
{{- $port := toString (int .Values.metrics.port) -}}
{{- with get $taken $port }}{{ fail (printf "metrics.port %s is that of %s: choose another" $port .) }}{{ end -}}
{{- $_ := set $taken $port "metrics.port" -}}
{{- end -}}
{{- if .Values.profile.enabled -}}
{{- $port := toString (int .Values.profile.port) -}}
{{- with get $taken $port }}{{ fail (printf "profile.port %s is that of %s: choose another" $port .) }}{{ end -}}
{{- $_ := set $taken $port "profile.port" -}}
{{- end -}}
{{- range $i, $server := include "cassandra.hosted" . | fromJsonArray -}}
{{- $port := toString (add $.Values.rpc.port $i) -}}
{{- with get $taken $port }}{{ fail (printf "the server %s would listen on port %s, which is that of %s: choose another rpc.port" $server $port .) }}{{ end -}}
{{- end -}}
{{- /* Tokens are computed from the number of nodes, and nothing is streamed: ranges would move to a node that is empty. */ -}}
{{- with lookup "apps/v1" "StatefulSet" .Release.Namespace (include "cassandra.name" .) -}}
{{- if ne (int .spec.replicas) (int $.Values.nodes) -}}
{{- fail (printf "nodes is %d, but this release was installed with %d, and its data cannot be spread anew: leave nodes at %d, or uninstall the release and install it anew" (int $.Values.nodes) (int .spec.replicas) (int .spec.replicas)) -}}
{{- end -}}
{{- end -}}
{{- with include "cassandra.hosted" . | fromJsonArray -}}
{{- if ne (len .) (len (uniq .)) -}}
{{- fail (printf "server.instances names a server twice in %s: give each a name of its own" (join ", " .)) -}}
{{- end -}}
{{- end -}}
{{- /* The plugin's options are told apart by their names alone: RINGSIDE_HSHA_MIN_WORKERS is minWorkers of hsha. */ -}}
{{- range .Values.server.instances -}}
{{- if hasSuffix "-min" .name -}}
{{- fail (printf "server.instances names %s, whose workers would be taken for minWorkers of %s: let no name end in -min" .name (trimSuffix "-min" .name)) -}}
{{- end -}}
{{- end -}}
{{- include "cassandra.validateSettings" . -}}
{{- include "cassandra.validateJVM" . -}}
{{- end }}
