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
{{- include "store.release" . -}}
{{- end -}}
{{- end }}

{{- /* Last part of the names of a ring's objects. */ -}}
{{- define "cassandra-cql.suffix" -}}
{{- if include "cassandra-cql.several" . }}-{{ include "cassandra-cql.short" . }}{{ end -}}
{{- end }}

{{- define "store.name" -}}
{{ include "cassandra-cql.prefix" . }}{{ include "cassandra-cql.suffix" . }}
{{- end }}

{{- /* No server is named ring-*, so no other Service has this name. */ -}}
{{- define "store.ring" -}}
{{ include "cassandra-cql.prefix" . }}-ring{{ include "cassandra-cql.suffix" . }}
{{- end }}

{{- /* Name of the headless Service that load connects to. */ -}}
{{- define "store.service" -}}
{{ include "cassandra-cql.prefix" . }}-{{ include "cassandra-cql.short" . }}
{{- end }}

{{- /* Selects the pods of a ring. The labels of objects are without the server, because only the Service for load may have it. */ -}}
{{- define "store.selector" -}}
{{ include "store.component" . }}
{{- if include "cassandra-cql.several" . }}
ringside.dev/server: {{ include "cassandra-cql.server" . }}
{{- end }}
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
