{{- /* Checks that a schema cannot express. */ -}}
{{- define "cassandra-cql.check" -}}
{{- $variant := include "cassandra-cql.variant" . | fromJson -}}
{{- if and (eq 11 (int $variant.java)) (not (index .Values "cassandra-cql-java11").enabled) -}}
{{- fail (printf "server %s runs on Java 11, which another image has; set the value cassandra-cql-java11.enabled to true" (include "cassandra-cql.type" .)) -}}
{{- end -}}
{{- include "store.checkRing" . -}}
{{- $taken := dict "7000" "traffic between nodes" "7199" "JMX" "8080" "the probes" -}}
{{- range $name, $port := dict "port" .Values.port "metrics.port" (ternary .Values.metrics.port 0 .Values.metrics.enabled) "profile.port" (ternary .Values.profile.port 0 .Values.profile.enabled) "maintenance.port" (ternary .Values.maintenance.port 0 .Values.maintenance.enabled) -}}
{{- if $port -}}
{{- $key := toString (int $port) -}}
{{- with get $taken $key }}{{ fail (printf "%s is %s: the port is used by %s; choose another port" $name $key .) }}{{ end -}}
{{- $_ := set $taken $key $name -}}
{{- end -}}
{{- end -}}
{{- include "cassandra-cql.validateUpgrade" . -}}
{{- include "cassandra-cql.validateSettings" . -}}
{{- include "cassandra-cql.validateJVM" . -}}
{{- end }}

{{- /* Rejects a heap that does not fit, and options that contradict the values. The JVM itself rejects options that it does not have. */ -}}
{{- define "cassandra-cql.validateJVM" -}}
{{- include "store.checkHeap" . -}}
{{- $variant := include "cassandra-cql.variant" . | fromJson -}}
{{- $owned := list "cassandra.config" "cassandra.config.loader" "cassandra.storagedir" "cassandra-foreground" "cassandra.jmx.local.port" "cassandra.ring_delay_ms" "cassandra.initial_token" "cassandra.partitioner" "cassandra.native_transport_port" "cassandra.start_native_transport" "cassandra.storage_port" "logback.configurationFile" "java.io.tmpdir" "jna.tmpdir" -}}
{{- $lists := dict "jvmOptions" .Values.jvmOptions "extraJvmOptions" .Values.extraJvmOptions "gcLog" .Values.gcLog (printf "collectors.%s" $variant.collector) (get .Values.collectors $variant.collector) -}}
{{- range $list, $options := $lists -}}
{{- range $option := $options -}}
{{- $name := include "store.checkOption" (dict "list" $list "option" $option "heap" $.Values.heap "owned" $owned) -}}
{{- if and (regexMatch "^Use(Serial|Parallel|ParallelOld|ParNew|ConcMarkSweep|G1|Z|Shenandoah|Epsilon)GC$" $name) (not (hasPrefix "collectors." $list)) -}}
{{- fail (printf "%s has %s: the variant's collector is %s; set variants.%s.collector" $list $option $variant.collector (include "cassandra-cql.type" $)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}
