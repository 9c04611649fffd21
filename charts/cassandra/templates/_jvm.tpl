{{- /* Bytes of a quantity in Kubernetes notation (3Gi), or in Java notation (1200M, which is 1200Mi). */ -}}
{{- define "cassandra.bytes" -}}
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
{{- define "cassandra.validateJVM" -}}
{{- $heap := include "cassandra.bytes" (dict "name" "heap.max" "quantity" .Values.heap.max "java" true) | int64 -}}
{{- $young := include "cassandra.bytes" (dict "name" "heap.young" "quantity" .Values.heap.young "java" true) | int64 -}}
{{- if ge $young $heap -}}
{{- fail (printf "heap.young is %s: it must be smaller than heap.max (%s); lower heap.young or raise heap.max" .Values.heap.young .Values.heap.max) -}}
{{- end -}}
{{- with dig "limits" "memory" "" (default dict .Values.resources) -}}
{{- if ge $heap (include "cassandra.bytes" (dict "name" "resources.limits.memory" "quantity" .) | int64) -}}
{{- fail (printf "heap.max is %s: it must be smaller than resources.limits.memory (%s), or the node is killed; lower heap.max or raise the limit" $.Values.heap.max (toString .)) -}}
{{- end -}}
{{- end -}}
{{- $owned := list "cassandra.config" "cassandra.storagedir" "cassandra-foreground" "cassandra.jmx.local.port" "cassandra.native_transport_port" "cassandra.start_native_transport" "cassandra.ring_delay_ms" "cassandra.libjemalloc" "cassandra.initial_token" "cassandra.partitioner" "cassandra.rpc_port" "cassandra.start_rpc" "cassandra.storage_port" "logback.configurationFile" "java.io.tmpdir" "jna.tmpdir" -}}
{{- $collectors := dict "UseSerialGC" "serial" "UseParNewGC" "CMS" "UseConcMarkSweepGC" "CMS" "UseParallelGC" "parallel" "UseParallelOldGC" "parallel" "UseG1GC" "G1" -}}
{{- $on := dict -}}
{{- range $list := list "jvmOptions" "extraJvmOptions" "gcLog" -}}
{{- range $option := get $.Values $list -}}
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
{{- if and (hasKey $collectors $name) (hasPrefix "+" $flag) }}{{ $_ := set $on $name $says }}{{ else }}{{ $_ := unset $on $name }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- /* The last of two contradicting options counts, so collectors are compared after all options were read. */ -}}
{{- $other := "" -}}
{{- range $name := keys $on | sortAlpha -}}
{{- if and $other (ne (get $collectors $name) (get $collectors $other)) -}}
{{- $pair := list (get $on $name) (get $on $other) | sortAlpha -}}
{{- fail (printf "%s and %s: a JVM with two garbage collectors does not start; to use another one, replace the list in jvmOptions" (first $pair) (last $pair)) -}}
{{- end -}}
{{- $other = $name -}}
{{- end -}}
{{- end }}
