{{- /* Settings of cassandra.yaml that the chart or the node sets itself, each with its reason. */ -}}
{{- define "cassandra-cql.owned" -}}
cluster_name: it is the name of the release
partitioner: the nodes' tokens are Murmur3Partitioner's
{{- range list "num_tokens" "initial_token" "allocate_tokens_for_keyspace" "allocate_tokens_for_local_replication_factor" }}
{{ . }}: each node has one token, evenly spaced
{{- end }}
auto_bootstrap: a fresh ring streams nothing, and a node that left streams its data when it joins again
seed_provider: node 0 is the seed
{{- range list "listen_address" "listen_interface" "listen_interface_prefer_ipv6" "listen_on_broadcast_address" "broadcast_address" "broadcast_rpc_address" "rpc_address" "rpc_interface" "rpc_interface_prefer_ipv6" }}
{{ . }}: it is that of the pod
{{- end }}
storage_port: it is 7000 in the Services and policies
start_native_transport: the server under test is the native transport
native_transport_port: it is the value port
{{- range list "data_file_directories" "commitlog_directory" "hints_directory" "saved_caches_directory" "cdc_raw_directory" }}
{{ . }}: the data volume is /var/lib/cassandra
{{- end }}
{{- end }}

{{- define "cassandra-cql.validateSettings" -}}
{{- $owned := include "cassandra-cql.owned" . | fromYaml -}}
{{- $variant := include "cassandra-cql.variant" . | fromJson -}}
{{- range $path, $settings := dict "cassandra" .Values.cassandra (printf "variants.%s.cassandra" (include "cassandra-cql.type" .)) (default dict $variant.cassandra) -}}
{{- range $name := keys $settings | sortAlpha -}}
{{- with get $owned $name }}{{ fail (printf "%s.%s is set by the chart: %s; remove it from the values" $path $name .) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- /* cassandra.yaml: the user's settings over the variant's, and those over the chart's. The node adds its addresses, seed and token. */ -}}
{{- define "cassandra-cql.yaml" -}}
{{- $chart := include "cassandra-cql.settings" . | fromYaml -}}
{{- $variant := include "cassandra-cql.variant" . | fromJson -}}
{{- mustMergeOverwrite $chart (default dict $variant.cassandra) (deepCopy .Values.cassandra) | toYaml -}}
{{- end }}

{{- /* Settings that differ from the defaults in Cassandra's code. */ -}}
{{- define "cassandra-cql.settings" -}}
cluster_name: {{ .Release.Name }}
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
# A fresh ring streams no data, so nodes can join at the same time. They only need a running seed.
auto_bootstrap: false
storage_port: 7000
start_native_transport: true
data_file_directories: [/var/lib/cassandra/data]
commitlog_directory: /var/lib/cassandra/commitlog
hints_directory: /var/lib/cassandra/hints
saved_caches_directory: /var/lib/cassandra/saved_caches
cdc_raw_directory: /var/lib/cassandra/cdc_raw
commitlog_total_space: {{ include "store.commitLogSpace" . }}MiB
commitlog_sync: periodic
commitlog_sync_period: 10s
# A disk failure ends the node, so that a measurement shows a restart instead of a store that fails silently.
disk_failure_policy: die
commit_failure_policy: die
# Keep no snapshot of dropped keyspaces.
auto_snapshot: false
{{- end }}
