{{- /* The version that a node runs after an upgrade. */ -}}
{{- define "cassandra-cql.upgradedVersion" -}}
{{- dig .Values.maintenance.upgradeTo "version" "" .Values.variants -}}
{{- end }}

{{- /*
The command of a node that can be upgraded. Its data decide which version runs: the task upgrade marks them before the node ends. The options of
the JVM name the links, because only the folder and the settings differ between the versions.
*/ -}}
{{- define "cassandra-cql.start" -}}
- sh
- -ec
- |
  version={{ (include "cassandra-cql.variant" . | fromJson).version }} settings=cassandra.yaml
  if [ -e /var/lib/cassandra/ringside-upgraded ]; then
    version={{ include "cassandra-cql.upgradedVersion" . }} settings=upgraded.yaml
  fi
  ln -sfn "/opt/cassandra/$version" /tmp/cassandra
  ln -sfn "/etc/ringside/$settings" /tmp/cassandra.yaml
  exec java "$@"
- start
{{- end }}

{{- /* Rejects what a node of the server cannot become. */ -}}
{{- define "cassandra-cql.validateUpgrade" -}}
{{- with $to := .Values.maintenance.upgradeTo -}}
{{- if not $.Values.maintenance.enabled -}}
{{- fail (printf "maintenance.upgradeTo is %s: a node is upgraded by a task of maintenance, and maintenance.enabled is false; set it to true" $to) -}}
{{- end -}}
{{- $from := include "cassandra-cql.variant" $ | fromJson -}}
{{- $able := list -}}
{{- range $name := keys $.Values.variants | sortAlpha -}}
{{- $other := get $.Values.variants $name -}}
{{- if and (eq (int $other.java) (int $from.java)) (eq $other.collector $from.collector) (semverCompare (printf ">%s" $from.version) $other.version) -}}
{{- $able = append $able $name -}}
{{- end -}}
{{- end -}}
{{- if not (has $to $able) -}}
{{- fail (printf "maintenance.upgradeTo is %s: server %s needs a variant of a version newer than %s, with Java %d and collector %s; %s" $to (include "cassandra-cql.type" $) $from.version (int $from.java) $from.collector (ternary (printf "use one of %s" (join ", " $able)) "there is none, so leave it empty" (gt (len $able) 0))) -}}
{{- end -}}
{{- $mode := dig "storage_compatibility_mode" "CASSANDRA_4" (default dict (get $.Values.variants $to).cassandra) -}}
{{- if ne $mode "CASSANDRA_4" -}}
{{- fail (printf "variants.%s.cassandra.storage_compatibility_mode is %s: a node that is upgraded must understand nodes of %s; remove the setting, or set it to CASSANDRA_4" $to $mode $from.version) -}}
{{- end -}}
{{- include "cassandra-cql.validateSettings" (merge (dict "Type" $to) $) -}}
{{- end -}}
{{- end }}
