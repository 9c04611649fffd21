{{- /*
Names of all servers, as JSON. Each has a ring of its own. Templates of a ring's objects are rendered for each server, with its name as Hosted in
the context.
*/ -}}
{{- define "cassandra-cql.hosted" -}}
{{- $names := .Values.server.types -}}
{{- range .Values.server.instances }}{{ $names = append $names .name }}{{ end -}}
{{- toJson $names -}}
{{- end }}

{{- /* Not empty if the release has several rings. A single ring has the names and labels of the release. */ -}}
{{- define "cassandra-cql.several" -}}
{{- if gt (len (include "cassandra-cql.hosted" . | fromJsonArray)) 1 }}true{{ end -}}
{{- end }}

{{- /* The name of the server. What the release has once, such as its service account, is labelled as of the first server. */ -}}
{{- define "cassandra-cql.server" -}}
{{- default (include "cassandra-cql.hosted" . | fromJsonArray | first) .Hosted -}}
{{- end }}

{{- /*
The type of the server, which is the name of its variant: v50-bti-again is a second v50-bti, and not a v50. Templates for nodes that were upgraded
are rendered with their variant as Type in the context.
*/ -}}
{{- define "cassandra-cql.type" -}}
{{- if .Type }}{{ .Type }}{{ else -}}
{{- $server := include "cassandra-cql.server" . -}}
{{- $type := "" -}}
{{- range $name := keys .Values.variants -}}
{{- if and (hasPrefix (printf "%s-" $name) (printf "%s-" $server)) (gt (len $name) (len $type)) }}{{ $type = $name }}{{ end -}}
{{- end -}}
{{- $type -}}
{{- end -}}
{{- end }}

{{- /* The variant of the server, as JSON: version, java, collector, cassandra. */ -}}
{{- define "cassandra-cql.variant" -}}
{{- get .Values.variants (include "cassandra-cql.type" .) | toJson -}}
{{- end }}

{{- /* Name of what the release has once. A release name has up to 53 characters, a label up to 63: room for suffixes is left. */ -}}
{{- define "cassandra-cql.release" -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- end }}

{{- /* The server's name as a part of other names. In a name that is too long, a digest of the whole name replaces the end. */ -}}
{{- define "cassandra-cql.short" -}}
{{- $server := include "cassandra-cql.server" . -}}
{{- if le (len $server) 31 }}{{ $server }}{{ else }}{{ $server | trunc 24 | trimSuffix "-" }}-{{ $server | sha256sum | trunc 6 }}{{ end -}}
{{- end }}

{{- /*
First part of the names of a ring's objects. With the server's name, that of the StatefulSet has at most 52 characters, because pods have it with
a hash as a label.
*/ -}}
{{- define "cassandra-cql.prefix" -}}
{{- if include "cassandra-cql.several" . -}}
{{- .Release.Name | trunc (sub 51 (include "cassandra-cql.short" . | len) | int) | trimSuffix "-" -}}
{{- else -}}
{{- include "cassandra-cql.release" . -}}
{{- end -}}
{{- end }}

{{- /* Last part of the names of a ring's objects. */ -}}
{{- define "cassandra-cql.suffix" -}}
{{- if include "cassandra-cql.several" . }}-{{ include "cassandra-cql.short" . }}{{ end -}}
{{- end }}

{{- define "cassandra-cql.name" -}}
{{ include "cassandra-cql.prefix" . }}{{ include "cassandra-cql.suffix" . }}
{{- end }}

{{- /* Name of the headless Service through which nodes find each other. No server is named ring-*, so no other Service has it. */ -}}
{{- define "cassandra-cql.ring" -}}
{{ include "cassandra-cql.prefix" . }}-ring{{ include "cassandra-cql.suffix" . }}
{{- end }}

{{- /* Name of the headless Service that load connects to. */ -}}
{{- define "cassandra-cql.service" -}}
{{ include "cassandra-cql.prefix" . }}-{{ include "cassandra-cql.short" . }}
{{- end }}

{{- define "cassandra-cql.component" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: store
{{- end }}

{{- /* Selects the pods of a ring. */ -}}
{{- define "cassandra-cql.selector" -}}
{{ include "cassandra-cql.component" . }}
{{- if include "cassandra-cql.several" . }}
ringside.dev/server: {{ include "cassandra-cql.server" . }}
{{- end }}
{{- end }}

{{- define "cassandra-cql.origin" -}}
app.kubernetes.io/version: {{ (include "cassandra-cql.variant" . | fromJson).version | quote }}
app.kubernetes.io/part-of: ringside
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- /* Labels of pods. Without the chart's version, because a new version would restart every pod. */ -}}
{{- define "cassandra-cql.podLabels" -}}
{{ include "cassandra-cql.selector" . }}
{{ include "cassandra-cql.origin" . }}
{{- end }}

{{- /* Labels of objects. Without the server, because only the Service for load may have it. */ -}}
{{- define "cassandra-cql.labels" -}}
{{ include "cassandra-cql.component" . }}
{{ include "cassandra-cql.origin" . }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
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

{{- /* The folder of Cassandra: that of its version in the image, or the link that the start of a node that can be upgraded makes to it. */ -}}
{{- define "cassandra-cql.home" -}}
{{- if .Values.maintenance.upgradeTo }}/tmp/cassandra{{ else }}/opt/cassandra/{{ (include "cassandra-cql.variant" . | fromJson).version }}{{ end -}}
{{- end }}

{{- /* Security context of pods. An id of 0 is left out, so that the cluster chooses one. */ -}}
{{- define "cassandra-cql.podSecurity" -}}
{{- $context := deepCopy .Values.podSecurityContext -}}
{{- range list "runAsUser" "runAsGroup" "fsGroup" -}}
{{- if not (get $context .) }}{{ $_ := unset $context . }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{- /* Puts each node of a ring on its own machine, or in its own zone. */ -}}
{{- define "cassandra-cql.antiAffinity" -}}
topologyKey: {{ quote .Values.topologyKey }}
labelSelector:
  matchLabels: {{- include "cassandra-cql.selector" . | nindent 4 }}
{{- end }}

{{- /* Prefers machines that have a node of another ring, so that all rings have the same machines. */ -}}
{{- define "cassandra-cql.affinity" -}}
weight: 100
podAffinityTerm:
  topologyKey: kubernetes.io/hostname
  labelSelector:
    matchLabels: {{- include "cassandra-cql.component" . | nindent 6 }}
{{- end }}

{{- /* Checks that a schema cannot express. */ -}}
{{- define "cassandra-cql.validate" -}}
{{- $server := include "cassandra-cql.server" . -}}
{{- $variant := include "cassandra-cql.variant" . | fromJson -}}
{{- $hosted := include "cassandra-cql.hosted" . | fromJsonArray -}}
{{- range .Values.server.instances -}}
{{- if hasKey $.Values.variants .name -}}
{{- fail (printf "server.instances: %s is the name of a type; list it in server.types, or add a suffix, as in %s-again" .name .name) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.hostNetwork (include "cassandra-cql.several" .) -}}
{{- fail (printf "hostNetwork is true: servers %s would listen on the same ports of a Kubernetes node; set hostNetwork to false, or install one server" (join ", " $hosted)) -}}
{{- end -}}
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
{{- include "cassandra-cql.validateUpgrade" . -}}
{{- include "cassandra-cql.validateSettings" . -}}
{{- include "cassandra-cql.validateJVM" . -}}
{{- end }}
