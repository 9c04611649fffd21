{{- define "store.taken" -}}
"7000": traffic between nodes
"7199": JMX
"8080": the probes
{{- end }}

{{- /* Checks that a schema cannot express. */ -}}
{{- define "cassandra.check" -}}
{{- include "store.checkRing" . -}}
{{- if gt (int .Values.rpc.minThreads) (int .Values.rpc.maxThreads) -}}
{{- fail (printf "rpc.minThreads is %d: it exceeds rpc.maxThreads (%d); lower rpc.minThreads or raise rpc.maxThreads" (int .Values.rpc.minThreads) (int .Values.rpc.maxThreads)) -}}
{{- end -}}
{{- /* The plugin distinguishes options by name only: RINGSIDE_HSHA_MIN_WORKERS is minWorkers of hsha. */ -}}
{{- range .Values.server.instances -}}
{{- if hasSuffix "-min" .name -}}
{{- fail (printf "server.instances: option workers of %s would be read as minWorkers of %s; use a name that does not end in -min" .name (trimSuffix "-min" .name)) -}}
{{- end -}}
{{- end -}}
{{- include "cassandra.validateSettings" . -}}
{{- include "cassandra.validateJVM" . -}}
{{- end }}

{{- /* Rejects a heap that does not fit, and options that contradict the values. The JVM itself rejects options that it does not have. */ -}}
{{- define "cassandra.validateJVM" -}}
{{- include "store.checkHeap" . -}}
{{- $owned := list "cassandra.config" "cassandra.storagedir" "cassandra-foreground" "cassandra.jmx.local.port" "cassandra.native_transport_port" "cassandra.start_native_transport" "cassandra.ring_delay_ms" "cassandra.libjemalloc" "cassandra.initial_token" "cassandra.partitioner" "cassandra.rpc_port" "cassandra.start_rpc" "cassandra.storage_port" "logback.configurationFile" "java.io.tmpdir" "jna.tmpdir" -}}
{{- $collectors := dict "UseSerialGC" "serial" "UseParNewGC" "CMS" "UseConcMarkSweepGC" "CMS" "UseParallelGC" "parallel" "UseParallelOldGC" "parallel" "UseG1GC" "G1" -}}
{{- $on := dict -}}
{{- range $list := list "jvmOptions" "extraJvmOptions" "gcLog" -}}
{{- range $option := get $.Values $list -}}
{{- $name := include "store.checkOption" (dict "list" $list "option" $option "heap" $.Values.heap "owned" $owned) -}}
{{- if and (hasKey $collectors $name) (hasPrefix "-XX:+" $option) }}{{ $_ := set $on $name (printf "%s has %s" $list $option) }}{{ else }}{{ $_ := unset $on $name }}{{ end -}}
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
