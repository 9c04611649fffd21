{{- /* cassandra.yaml as far as it differs from 3.11's defaults in code. ringside-node fills in ${POD_IP}, ${SEED} and ${INITIAL_TOKEN}. */ -}}
{{- define "cassandra.settings" -}}
cluster_name: {{ .Release.Name }}
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
# One token per node, evenly spaced, so that the shares are equal and the same in every run. Nothing is streamed when a fresh
# ring is made, so nodes need not join one after the other; they only need a seed that is up.
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
start_native_transport: false
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
commitlog_total_space_in_mb: {{ include "cassandra.commitLogSpace" . }}
commitlog_sync: periodic
commitlog_sync_period_in_ms: 10000
# A disk that fails ends the node, so that a measurement sees a restart and not a silent half of a store.
disk_failure_policy: die
commit_failure_policy: die
# No copy of what a dropped keyspace held.
auto_snapshot: false
{{- end }}
