{{- /* Bytes of a quantity in Kubernetes notation (3Gi), or in Java notation (1200M, which is 1200Mi). */ -}}
{{- define "store.bytes" -}}
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

{{- /*
Maximum size of Cassandra's commit log, in MiB. Cassandra takes a quarter of the file system, at most 8 GiB, but a volume may be a directory on a
shared disk. So it is a quarter of storage.size. The minimum leaves room for a few segments of 32 MiB.
*/ -}}
{{- define "store.commitLogSpace" -}}
{{- $bytes := include "store.bytes" (dict "name" "storage.size" "quantity" .Values.storage.size) -}}
{{- max 128 (min 8192 (divf (divf $bytes 1048576.0) 4.0 | int)) -}}
{{- end }}

{{- /* Rejects a heap that does not fit. */ -}}
{{- define "store.checkHeap" -}}
{{- $heap := include "store.bytes" (dict "name" "heap.max" "quantity" .Values.heap.max "java" true) | int64 -}}
{{- $young := include "store.bytes" (dict "name" "heap.young" "quantity" .Values.heap.young "java" true) | int64 -}}
{{- if ge $young $heap -}}
{{- fail (printf "heap.young is %s: it must be smaller than heap.max (%s); lower heap.young or raise heap.max" .Values.heap.young .Values.heap.max) -}}
{{- end -}}
{{- with dig "limits" "memory" "" (default dict .Values.resources) -}}
{{- if ge $heap (include "store.bytes" (dict "name" "resources.limits.memory" "quantity" .) | int64) -}}
{{- fail (printf "heap.max is %s: it must be smaller than resources.limits.memory (%s), or the node is killed; lower heap.max or raise the limit" $.Values.heap.max (toString .)) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* Rejects a JVM option of a list that sets the heap, or a property that the chart sets: those of owned. Returns the name of a flag. */ -}}
{{- define "store.checkOption" -}}
{{- $says := printf "%s has %s" .list .option -}}
{{- if regexMatch "^-(Xm[xsn]|XX:((Initial|Max)HeapSize|(Max)?NewSize|NewRatio|(Initial|Max|Min)RAM[A-Za-z]*)=)" .option -}}
{{- fail (printf "%s: the chart sets the heap from heap.max (%s) and heap.young (%s); set those" $says .heap.max .heap.young) -}}
{{- end -}}
{{- if hasPrefix "-D" .option -}}
{{- $property := trimPrefix "-D" .option | splitList "=" | first -}}
{{- if has $property .owned }}{{ fail (printf "%s: the chart sets %s; remove it" $says $property) }}{{ end -}}
{{- end -}}
{{- if hasPrefix "-XX:" .option -}}
{{- regexFind "^[^=]*" (regexReplaceAll "^[+-]" (trimPrefix "-XX:" .option) "") -}}
{{- end -}}
{{- end }}
