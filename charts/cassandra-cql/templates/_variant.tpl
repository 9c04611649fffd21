{{- /* The type of the server: a name in variants. Templates for nodes that were upgraded are rendered with their variant as Type in the context. */ -}}
{{- define "cassandra-cql.type" -}}
{{- default (first .Values.server.types) .Type -}}
{{- end }}

{{- /* The variant of the server, as JSON: version, java, collector, cassandra. */ -}}
{{- define "cassandra-cql.variant" -}}
{{- get .Values.variants (include "cassandra-cql.type" .) | toJson -}}
{{- end }}

{{- define "store.version" -}}
{{ (include "cassandra-cql.variant" . | fromJson).version }}
{{- end }}

{{- /* The image with the Java of the variant. */ -}}
{{- define "store.image" -}}
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
