{{- /* A release name has up to 53 characters, a label up to 63: the name is shortened to leave room for suffixes. */ -}}
{{- define "cassandra-cql.name" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{- /* Name of the headless Service through which nodes find each other. */ -}}
{{- define "cassandra-cql.ring" -}}
{{ include "cassandra-cql.name" . }}-ring
{{- end }}

{{- define "cassandra-cql.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- /* Labels of pods. Without the chart's version, because a new version would restart every pod. */ -}}
{{- define "cassandra-cql.podLabels" -}}
{{ include "cassandra-cql.selector" . }}
app.kubernetes.io/version: {{ (include "cassandra-cql.variant" . | fromJson).version | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "cassandra-cql.labels" -}}
{{ include "cassandra-cql.podLabels" . }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* The name of the server, which is that of its variant. */ -}}
{{- define "cassandra-cql.server" -}}
{{- first .Values.server.types -}}
{{- end }}

{{- /* The variant of the release, as JSON: version, java, collector, cassandra. */ -}}
{{- define "cassandra-cql.variant" -}}
{{- get .Values.variants (include "cassandra-cql.server" .) | toJson -}}
{{- end }}

{{- /* The image with the Java of the variant. */ -}}
{{- define "cassandra-cql.image" -}}
{{- $java11 := index .Values "cassandra-cql-java11" -}}
{{- $old := eq 11 (int (include "cassandra-cql.variant" . | fromJson).java) -}}
{{- if and $old $java11.image }}{{ $java11.image }}
{{- else -}}
{{- with .Values.image.registry }}{{ . }}/{{ end }}ringside-cassandra-cql{{ if $old }}-java11{{ end }}:{{ .Values.image.tag }}
{{- end -}}
{{- end }}

{{- /* The folder of Cassandra in the image. */ -}}
{{- define "cassandra-cql.home" -}}
/opt/cassandra/{{ (include "cassandra-cql.variant" . | fromJson).version }}
{{- end }}

{{- /* Security context of pods. An id of 0 is left out, so that the cluster chooses one. */ -}}
{{- define "cassandra-cql.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /* Puts each node on its own machine, or in its own zone. */ -}}
{{- define "cassandra-cql.antiAffinity" -}}
topologyKey: {{ .Values.topologyKey }}
labelSelector:
  matchLabels: {{- include "cassandra-cql.selector" . | nindent 4 }}
{{- end }}

{{- /* Checks that a schema cannot express. */ -}}
{{- define "cassandra-cql.validate" -}}
{{- $server := include "cassandra-cql.server" . -}}
{{- $variant := include "cassandra-cql.variant" . | fromJson -}}
{{- if and (eq 11 (int $variant.java)) (not (index .Values "cassandra-cql-java11").enabled) -}}
{{- fail (printf "server %s runs on Java 11, which another image has; set the value cassandra-cql-java11.enabled to true" $server) -}}
{{- end -}}
{{- if gt (int .Values.replicationFactor) (int .Values.nodes) -}}
{{- fail (printf "replicationFactor is %d: there are only %d nodes; lower replicationFactor or raise nodes" (int .Values.replicationFactor) (int .Values.nodes)) -}}
{{- end -}}
{{- $taken := dict "7000" "traffic between nodes" "7199" "JMX" "8080" "the probes" -}}
{{- range $name, $port := dict "port" .Values.port "metrics.port" (ternary .Values.metrics.port 0 .Values.metrics.enabled) "profile.port" (ternary .Values.profile.port 0 .Values.profile.enabled) "maintenance.port" (ternary .Values.maintenance.port 0 .Values.maintenance.enabled) -}}
{{- if $port -}}
{{- $key := toString (int $port) -}}
{{- with get $taken $key }}{{ fail (printf "%s is %s: the port is used by %s; choose another port" $name $key .) }}{{ end -}}
{{- $_ := set $taken $key $name -}}
{{- end -}}
{{- end -}}
{{- /* Tokens are computed from the number of nodes, and no data are streamed: with another number, ranges would move to empty nodes. */ -}}
{{- with lookup "apps/v1" "StatefulSet" .Release.Namespace (include "cassandra-cql.name" .) -}}
{{- if ne (int .spec.replicas) (int $.Values.nodes) -}}
{{- fail (printf "nodes is %d: this release was installed with %d nodes, and its data cannot be redistributed; set nodes to %d, or uninstall the release and install it again" (int $.Values.nodes) (int .spec.replicas) (int .spec.replicas)) -}}
{{- end -}}
{{- end -}}
{{- include "cassandra-cql.validateSettings" . -}}
{{- include "cassandra-cql.validateJVM" . -}}
{{- end }}
