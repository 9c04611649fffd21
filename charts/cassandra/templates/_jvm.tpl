{{- /* Bytes of a quantity, as Kubernetes writes it (3Gi), or as Java does (1200M, which is 1200Mi). */ -}}
{{- define "cassandra.bytes" -}}
{{- $text := toString .quantity -}}
{{- if not (regexMatch "^[0-9.]+(e[+]?[0-9]+|[A-Za-z]*)$" $text) }}{{ fail (printf "%s is %s: write a quantity such as 3Gi" .name $text) }}{{ end -}}
{{- $exponent := regexMatch "e[+]?[0-9]+$" $text -}}
{{- $unit := ternary "" (regexFind "[A-Za-z]*$" $text) $exponent -}}
{{- $java := dict "" 1.0 "K" 1024.0 "M" 1048576.0 "G" 1073741824.0 -}}
{{- $kubernetes := dict "" 1.0 "m" 1e-3 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "Pi" 1125899906842624.0 -}}
{{- $units := ternary $java $kubernetes (default false .java) -}}
{{- if not (hasKey $units $unit) }}{{ fail (printf "%s is %s: write a quantity such as 3Gi" .name $text) }}{{ end -}}
{{- mulf (trimSuffix $unit $text | float64) (get $units $unit) | int64 -}}
{{- end }}

{{- /* A heap that has no room, and options by which the JVM would not start, or would not run as the values say. */ -}}
{{- define "cassandra.validateJVM" -}}
{{- $heap := include "cassandra.bytes" (dict "name" "heap.max" "quantity" .Values.heap.max "java" true) | int64 -}}
{{- $young := include "cassandra.bytes" (dict "name" "heap.young" "quantity" .Values.heap.young "java" true) | int64 -}}
{{- if ge $young $heap -}}
{{- fail (printf "heap.young is %s, and heap.max %s: the young generation is a part of the heap; lower the first or raise the second" .Values.heap.young .Values.heap.max) -}}
{{- end -}}
{{- with dig "limits" "memory" "" (default dict .Values.resources) -}}
{{- if ge $heap (include "cassandra.bytes" (dict "name" "resources.limits.memory" "quantity" .) | int64) -}}
{{- fail (printf "heap.max is %s, and resources.limits.memory %s: the node would be killed; lower the first or raise the second" $.Values.heap.max (toString .)) -}}
{{- end -}}
{{- end -}}
{{- $flags := .Files.Get "settings/java-8.flags" -}}
{{- $owned := list "cassandra.config" "cassandra.storagedir" "cassandra-foreground" "cassandra.jmx.local.port" "cassandra.ring_delay_ms" "cassandra.libjemalloc" "cassandra.initial_token" "cassandra.partitioner" "cassandra.rpc_port" "cassandra.start_rpc" "cassandra.storage_port" "logback.configurationFile" "java.io.tmpdir" "jna.tmpdir" -}}
{{- $collectors := dict "UseSerialGC" "serial" "UseParNewGC" "CMS" "UseConcMarkSweepGC" "CMS" "UseParallelGC" "parallel" "UseParallelOldGC" "parallel" "UseG1GC" "G1" -}}
{{- $on := dict -}}
{{- range $list := list "jvmOptions" "extraJvmOptions" "gcLog" -}}
{{- range $option := get $.Values $list -}}
{{- $says := printf "%s has %s" $list $option -}}
{{- if regexMatch "^-(Xm[xsn]|XX:((Initial|Max)HeapSize|(Max)?NewSize|NewRatio|(Initial|Max|Min)RAM[A-Za-z]*)=)" $option -}}
{{- fail (printf "%s: the heap is heap.max (%s) and heap.young (%s); set those" $says $.Values.heap.max $.Values.heap.young) -}}
{{- end -}}
{{- if hasPrefix "-D" $option -}}
{{- $property := trimPrefix "-D" $option | splitList "=" | first -}}
{{- if has $property $owned }}{{ fail (printf "%s: the chart sets %s; remove it" $says $property) }}{{ end -}}
{{- end -}}
{{- if hasPrefix "-XX:" $option -}}
{{- $flag := trimPrefix "-XX:" $option -}}
{{- $name := regexFind "^[^=]*" (regexReplaceAll "^[+-]" $flag "") -}}
{{- $bool := contains (printf "\nbool %s\n" $name) $flags -}}
{{- if not (or $bool (contains (printf "\nvalue %s\n" $name) $flags)) }}{{ fail (printf "%s: the Java 8 of the image has no option %s; remove it" $says $name) }}{{ end -}}
{{- if and $bool (not (regexMatch "^[+-][^=]+$" $flag)) }}{{ fail (printf "%s: it is on or off; write -XX:+%s or -XX:-%s" $says $name $name) }}{{ end -}}
{{- if and (not $bool) (not (regexMatch "^[^=+-]+=" $flag)) }}{{ fail (printf "%s: it has a value; write -XX:%s=<value>" $says $name) }}{{ end -}}
{{- if and (hasKey $collectors $name) (hasPrefix "+" $flag) }}{{ $_ := set $on $name $says }}{{ else }}{{ $_ := unset $on $name }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- /* The last of two options counts, so what is on is known only behind them all. */ -}}
{{- $other := "" -}}
{{- range $name := keys $on | sortAlpha -}}
{{- if and $other (ne (get $collectors $name) (get $collectors $other)) -}}
{{- $pair := list (get $on $name) (get $on $other) | sortAlpha -}}
{{- fail (printf "%s and %s: a JVM with two collectors does not start; collectors go into jvmOptions, in place of the list" (first $pair) (last $pair)) -}}
{{- end -}}
{{- $other = $name -}}
{{- end -}}
{{- end }}
