{{- /* What Cassandra needs of Java 11 and 17: internals that are closed by default, and properties of Netty (jvm*-server.options). */ -}}
{{- define "cassandra-cql.modules" -}}
- -Djdk.attach.allowAttachSelf=true
- --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED
- --add-exports=java.base/jdk.internal.ref=ALL-UNNAMED
- --add-exports=java.base/sun.nio.ch=ALL-UNNAMED
- --add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED
- --add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED
- --add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED
- --add-exports=java.sql/java.sql=ALL-UNNAMED
- --add-exports=java.base/java.lang.ref=ALL-UNNAMED
- --add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED
- --add-opens=java.base/java.lang.module=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.loader=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.ref=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.reflect=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.math=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.module=ALL-UNNAMED
- --add-opens=java.base/jdk.internal.util.jar=ALL-UNNAMED
- --add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED
- --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
- --add-opens=java.base/java.io=ALL-UNNAMED
- --add-opens=java.base/java.lang.reflect=ALL-UNNAMED
- --add-opens=java.base/java.lang=ALL-UNNAMED
- --add-opens=java.base/java.util=ALL-UNNAMED
- --add-opens=java.base/java.nio=ALL-UNNAMED
- -Dio.netty.tryReflectionSetAccessible=true
- -Dio.netty.allocator.useCacheForAllThreads=true
- -Dio.netty.allocator.maxOrder=11
{{- end }}

{{- define "cassandra-cql.classPath" -}}
/opt/ringside:/opt/ringside/ringside-cassandra-cql.jar:{{ include "cassandra-cql.home" . }}/lib/*
{{- end }}

{{- /* Bytes of a quantity in Kubernetes notation (3Gi), or in Java notation (1200M, which is 1200Mi). */ -}}
{{- define "cassandra-cql.bytes" -}}
{{- $text := toString .quantity -}}
{{- if not (regexMatch "^[0-9.]+(e[+]?[0-9]+|[A-Za-z]*)$" $text) }}{{ fail (printf "%s is %s: it is not a quantity; write one such as 3Gi" .name $text) }}{{ end -}}
{{- $exponent := regexMatch "e[+]?[0-9]+$" $text -}}
{{- $unit := ternary "" (regexFind "[A-Za-z]*$" $text) $exponent -}}
{{- $java := dict "" 1.0 "K" 1024.0 "M" 1048576.0 "G" 1073741824.0 -}}
{{- $kubernetes := dict "" 1.0 "m" 1e-3 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "Pi" 1125899906842624.0 -}}
{{- $units := ternary $java $kubernetes (default false .java) -}}
{{- if not (hasKey $units $unit) }}{{ fail (printf "%s is %s: it is not a quantity; write one such as 3Gi" .name $text) }}{{ end -}}
{{- mulf (trimSuffix $unit $text | float64) (get $units $unit) | int64 -}}
{{- end }}

{{- /* Rejects a heap that does not fit, and options that contradict the values. The JVM itself rejects options that it does not have. */ -}}
{{- define "cassandra-cql.validateJVM" -}}
{{- $heap := include "cassandra-cql.bytes" (dict "name" "heap.max" "quantity" .Values.heap.max "java" true) | int64 -}}
{{- $young := include "cassandra-cql.bytes" (dict "name" "heap.young" "quantity" .Values.heap.young "java" true) | int64 -}}
{{- if ge $young $heap -}}
{{- fail (printf "heap.young is %s: it must be smaller than heap.max (%s); lower heap.young or raise heap.max" .Values.heap.young .Values.heap.max) -}}
{{- end -}}
{{- with dig "limits" "memory" "" (default dict .Values.resources) -}}
{{- if ge $heap (include "cassandra-cql.bytes" (dict "name" "resources.limits.memory" "quantity" .) | int64) -}}
{{- fail (printf "heap.max is %s: it must be smaller than resources.limits.memory (%s), or the node is killed; lower heap.max or raise the limit" $.Values.heap.max (toString .)) -}}
{{- end -}}
{{- end -}}
{{- $variant := include "cassandra-cql.variant" . | fromJson -}}
{{- $owned := list "cassandra.config" "cassandra.config.loader" "cassandra.storagedir" "cassandra-foreground" "cassandra.jmx.local.port" "cassandra.ring_delay_ms" "cassandra.initial_token" "cassandra.partitioner" "cassandra.native_transport_port" "cassandra.start_native_transport" "cassandra.storage_port" "logback.configurationFile" "java.io.tmpdir" "jna.tmpdir" -}}
{{- $lists := dict "jvmOptions" .Values.jvmOptions "extraJvmOptions" .Values.extraJvmOptions "gcLog" .Values.gcLog (printf "collectors.%s" $variant.collector) (get .Values.collectors $variant.collector) -}}
{{- range $list, $options := $lists -}}
{{- range $option := $options -}}
{{- $says := printf "%s has %s" $list $option -}}
{{- if regexMatch "^-(Xm[xsn]|XX:((Initial|Max)HeapSize|(Max)?NewSize|NewRatio|(Initial|Max|Min)RAM[A-Za-z]*)=)" $option -}}
{{- fail (printf "%s: the chart sets the heap from heap.max (%s) and heap.young (%s); set those" $says $.Values.heap.max $.Values.heap.young) -}}
{{- end -}}
{{- if hasPrefix "-D" $option -}}
{{- $property := trimPrefix "-D" $option | splitList "=" | first -}}
{{- if has $property $owned }}{{ fail (printf "%s: the chart sets %s; remove it" $says $property) }}{{ end -}}
{{- end -}}
{{- if hasPrefix "-XX:" $option -}}
{{- $flag := trimPrefix "-XX:" $option -}}
{{- $name := regexFind "^[^=]*" (regexReplaceAll "^[+-]" $flag "") -}}
{{- if and (regexMatch "^Use(Serial|Parallel|ParallelOld|ParNew|ConcMarkSweep|G1|Z|Shenandoah|Epsilon)GC$" $name) (not (hasPrefix "collectors." $list)) -}}
{{- fail (printf "%s: the variant's collector is %s; set variants.%s.collector" $says $variant.collector (include "cassandra-cql.type" $)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}
