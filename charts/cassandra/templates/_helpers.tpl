{{- /* A release name has up to 53 characters, a label up to 63: the name is shortened to leave room for suffixes. */ -}}
{{- define "cassandra.name" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{- /* Name of the headless Service through which nodes find each other. */ -}}
{{- define "cassandra.ring" -}}
{{ include "cassandra.name" . }}-ring
{{- end }}

{{- define "cassandra.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- /* Labels of pods. Without the chart's version, because a new version would restart every pod. */ -}}
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

{{- /* Security context of pods. An id of 0 is left out, so that the cluster chooses one. */ -}}
{{- define "cassandra.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /*
Maximum size of the commit log, in MB. 3.11 takes a quarter of the file system, at most 8 GiB, but a volume may be a directory on a shared
disk. So it is a quarter of storage.size. The minimum leaves room for a few segments of 32 MB.
*/ -}}
{{- define "cassandra.commitLogSpace" -}}
{{- $bytes := include "cassandra.bytes" (dict "name" "storage.size" "quantity" .Values.storage.size) -}}
{{- $megabytes := divf $bytes 1048576.0 -}}
{{- max 128 (min 8192 (divf $megabytes 4.0 | int)) -}}
{{- end }}

{{- /* Puts each node on its own machine, or in its own zone. */ -}}
{{- define "cassandra.antiAffinity" -}}
topologyKey: {{ quote .Values.topologyKey }}
labelSelector:
  matchLabels: {{- include "cassandra.selector" . | nindent 4 }}
{{- end }}

{{- /* Names of all servers, in the order of their ports. */ -}}
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

{{- /* Port of Cassandra's own CQL server; empty without it. */ -}}
{{- define "cassandra.nativePort" -}}
{{- range $i, $server := include "cassandra.hosted" . | fromJsonArray -}}
{{- if eq $server "native" }}{{ add $.Values.rpc.port $i }}{{ end -}}
{{- end -}}
{{- end }}

{{- /* Name of the environment variable that sets an option of one server. */ -}}
{{- define "cassandra.option" -}}
RINGSIDE_{{ .server | upper | replace "-" "_" }}_{{ .option | snakecase | upper }}
{{- end }}

{{- /* Checks that a schema cannot express. */ -}}
{{- define "cassandra.validate" -}}
{{- if gt (int .Values.replicationFactor) (int .Values.nodes) -}}
{{- fail (printf "replicationFactor is %d: there are only %d nodes; lower replicationFactor or raise nodes" (int .Values.replicationFactor) (int .Values.nodes)) -}}
{{- end -}}
{{- if gt (int .Values.rpc.minThreads) (int .Values.rpc.maxThreads) -}}
{{- fail (printf "rpc.minThreads is %d: it exceeds rpc.maxThreads (%d); lower rpc.minThreads or raise rpc.maxThreads" (int .Values.rpc.minThreads) (int .Values.rpc.maxThreads)) -}}
{{- end -}}
{{- $taken := dict "7000" "traffic between nodes" "7199" "JMX" "8080" "the probes" -}}
{{- if .Values.metrics.enabled -}}
{{- $port := toString (int .Values.metrics.port) -}}
{{- with get $taken $port }}{{ fail (printf "metrics.port is %s: the port is used by %s; choose another port" $port .) }}{{ end -}}
{{- $_ := set $taken $port "metrics.port" -}}
{{- end -}}
{{- if .Values.profile.enabled -}}
{{- $port := toString (int .Values.profile.port) -}}
{{- with get $taken $port }}{{ fail (printf "profile.port is %s: the port is used by %s; choose another port" $port .) }}{{ end -}}
{{- $_ := set $taken $port "profile.port" -}}
{{- end -}}
{{- range $i, $server := include "cassandra.hosted" . | fromJsonArray -}}
{{- $port := toString (add $.Values.rpc.port $i) -}}
{{- with get $taken $port }}{{ fail (printf "rpc.port is %d: server %s would listen on port %s, which is used by %s; choose another port" (int $.Values.rpc.port) $server $port .) }}{{ end -}}
{{- end -}}
{{- /* Tokens are computed from the number of nodes, and no data are streamed: with another number, ranges would move to empty nodes. */ -}}
{{- with lookup "apps/v1" "StatefulSet" .Release.Namespace (include "cassandra.name" .) -}}
{{- if ne (int .spec.replicas) (int $.Values.nodes) -}}
{{- fail (printf "nodes is %d: this release was installed with %d nodes, and its data cannot be redistributed; set nodes to %d, or uninstall the release and install it again" (int $.Values.nodes) (int .spec.replicas) (int .spec.replicas)) -}}
{{- end -}}
{{- end -}}
{{- with include "cassandra.hosted" . | fromJsonArray -}}
{{- if ne (len .) (len (uniq .)) -}}
{{- fail (printf "server.instances: %s names a server twice; give each server its own name" (join ", " .)) -}}
{{- end -}}
{{- end -}}
{{- /* The plugin distinguishes options by name only: RINGSIDE_HSHA_MIN_WORKERS is minWorkers of hsha. */ -}}
{{- range .Values.server.instances -}}
{{- if hasSuffix "-min" .name -}}
{{- fail (printf "server.instances: option workers of %s would be read as minWorkers of %s; use a name that does not end in -min" .name (trimSuffix "-min" .name)) -}}
{{- end -}}
{{- end -}}
{{- include "cassandra.validateSettings" . -}}
{{- include "cassandra.validateJVM" . -}}
{{- end }}
