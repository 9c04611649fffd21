{{- /* Settings that differ from the defaults in 3.11's code. ringside-node fills in ${POD_IP}, ${SEED} and ${INITIAL_TOKEN}. */ -}}
{{- define "cassandra.settings" -}}
cluster_name: {{ .Release.Name }}
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
# One token per node, evenly spaced, so that every node has an equal share, and the same one in every run. A fresh ring streams no
# data, so nodes can join at the same time. They only need a running seed.
num_tokens: 1
initial_token: ${INITIAL_TOKEN}
auto_bootstrap: false
seed_provider:
  - class_name: org.apache.cassandra.locator.SimpleSeedProvider
    parameters:
      - seeds: ${SEED}
listen_address: ${POD_IP}
storage_port: 7000
rpc_address: ${POD_IP}
{{- with include "cassandra.nativePort" . }}
start_native_transport: true
native_transport_port: {{ . }}
{{- else }}
start_native_transport: false
{{- end }}
# The plugin, which Cassandra loads with its Thrift server, serves counters and profiles and logs proofs. So it runs without Thrift servers too.
start_rpc: true
rpc_server_type: dev.ringside.cassandra.RingsideServerFactory
rpc_port: {{ .Values.rpc.port }}
rpc_min_threads: {{ .Values.rpc.minThreads }}
rpc_max_threads: {{ .Values.rpc.maxThreads }}
data_file_directories: [/var/lib/cassandra/data]
commitlog_directory: /var/lib/cassandra/commitlog
hints_directory: /var/lib/cassandra/hints
saved_caches_directory: /var/lib/cassandra/saved_caches
cdc_raw_directory: /var/lib/cassandra/cdc_raw
commitlog_total_space_in_mb: {{ include "store.commitLogSpace" . }}
commitlog_sync: periodic
commitlog_sync_period_in_ms: 10000
# A disk failure ends the node, so that a measurement shows a restart instead of a store that fails silently.
disk_failure_policy: die
commit_failure_policy: die
# Keep no snapshot of dropped keyspaces.
auto_snapshot: false
{{- end }}
