{{- /* Settings of cassandra.yaml that the chart sets itself, each with its reason. Users may set all others in the version's schema. */ -}}
{{- define "cassandra.owned" -}}
cluster_name: it is the name of the release
partitioner: the nodes' tokens are Murmur3Partitioner's
{{- range list "num_tokens" "initial_token" "allocate_tokens_for_keyspace" }}
{{ . }}: each node has one token, evenly spaced
{{- end }}
auto_bootstrap: a fresh ring streams nothing
seed_provider: node 0 is the seed
{{- range list "listen_address" "listen_interface" "listen_interface_prefer_ipv6" "listen_on_broadcast_address" "broadcast_address" "broadcast_rpc_address" "rpc_address" "rpc_interface" "rpc_interface_prefer_ipv6" }}
{{ . }}: it is that of the pod
{{- end }}
storage_port: it is 7000 in the Services and policies
start_rpc: the plugin runs in Cassandra's Thrift server
start_native_transport: it is on if server.types has native
native_transport_port: it follows from rpc.port and server.types
rpc_server_type: it is server.types
rpc_port: it is rpc.port
rpc_min_threads: it is rpc.minThreads
rpc_max_threads: it is rpc.maxThreads
{{- range list "data_file_directories" "commitlog_directory" "hints_directory" "saved_caches_directory" "cdc_raw_directory" }}
{{ . }}: the data volume is /var/lib/cassandra
{{- end }}
{{- end }}

{{- define "cassandra.validateSettings" -}}
{{- $owned := include "cassandra.owned" . | fromYaml -}}
{{- range $name := keys .Values.cassandra | sortAlpha -}}
{{- with get $owned $name }}{{ fail (printf "cassandra.%s is set by the chart: %s; remove it from the values" $name .) }}{{ end -}}
{{- end -}}
{{- end }}

{{- /* cassandra.yaml: the user's settings over the chart's. ringside-node replaces $$ by a dollar sign, and ${NAME} by a value of the pod. */ -}}
{{- define "cassandra.yaml" -}}
{{- $theirs := dict -}}
{{- range $name, $value := .Values.cassandra -}}
{{- $_ := set $theirs $name ($value | toJson | replace "$" "$$" | mustFromJson) -}}
{{- end -}}
{{- mustMergeOverwrite (include "cassandra.settings" . | fromYaml) $theirs | toYaml -}}
{{- end }}
