{{- /* Configuration of the JMX exporter. cassandra: metrics of Cassandra. thrift: those of the Disruptor server. Both: those of Cassandra 3.11. */ -}}
{{- define "store.jmx" -}}
# Metrics of the JMX exporter: only those that help to read a measurement, because each costs CPU time at every scrape.
includeObjectNames:
{{- if .cassandra }}
  - org.apache.cassandra.metrics:type=ClientRequest,scope=Read,name=Latency
  - org.apache.cassandra.metrics:type=ClientRequest,scope=Read,name=Timeouts
  - org.apache.cassandra.metrics:type=ClientRequest,scope=Read,name=Unavailables
  - org.apache.cassandra.metrics:type=ClientRequest,scope=Read,name=Failures
  - org.apache.cassandra.metrics:type=ClientRequest,scope=Write,name=Latency
  - org.apache.cassandra.metrics:type=ClientRequest,scope=Write,name=Timeouts
  - org.apache.cassandra.metrics:type=ClientRequest,scope=Write,name=Unavailables
  - org.apache.cassandra.metrics:type=ClientRequest,scope=Write,name=Failures
  - org.apache.cassandra.metrics:type=ThreadPools,path=request,scope=*,name=ActiveTasks
  - org.apache.cassandra.metrics:type=ThreadPools,path=request,scope=*,name=PendingTasks
  - org.apache.cassandra.metrics:type=ThreadPools,path=request,scope=*,name=CurrentlyBlockedTasks
  - org.apache.cassandra.metrics:type=ThreadPools,path=internal,scope=CompactionExecutor,name=ActiveTasks
  - org.apache.cassandra.metrics:type=ThreadPools,path=internal,scope=CompactionExecutor,name=PendingTasks
  - org.apache.cassandra.metrics:type=ThreadPools,path=internal,scope=CompactionExecutor,name=CurrentlyBlockedTasks
  - org.apache.cassandra.metrics:type=ThreadPools,path=internal,scope=MemtableFlushWriter,name=ActiveTasks
  - org.apache.cassandra.metrics:type=ThreadPools,path=internal,scope=MemtableFlushWriter,name=PendingTasks
  - org.apache.cassandra.metrics:type=ThreadPools,path=internal,scope=MemtableFlushWriter,name=CurrentlyBlockedTasks
  - org.apache.cassandra.metrics:type=Compaction,name=PendingTasks
  - org.apache.cassandra.metrics:type=Compaction,name=BytesCompacted
  - org.apache.cassandra.metrics:type=Storage,name=Load
  - org.apache.cassandra.metrics:type=Storage,name=TotalHints
  - org.apache.cassandra.metrics:type=Storage,name=TotalHintsInProgress
  - org.apache.cassandra.metrics:type=HintsService,name=HintsSucceeded
  - org.apache.cassandra.metrics:type=HintsService,name=HintsFailed
  - org.apache.cassandra.metrics:type=HintsService,name=HintsTimedOut
  - org.apache.cassandra.metrics:type=ReadRepair,name=RepairedBlocking
{{- if .thrift }}
  - org.apache.cassandra.metrics:type=ReadRepair,name=RepairedBackground
{{- end }}
  - org.apache.cassandra.metrics:type=CommitLog,name=TotalCommitLogSize
  - org.apache.cassandra.metrics:type=DroppedMessage,scope=MUTATION,name=Dropped
  - org.apache.cassandra.metrics:type=DroppedMessage,scope=READ,name=Dropped
  - org.apache.cassandra.metrics:type=DroppedMessage,scope=REQUEST_RESPONSE,name=Dropped
  - org.apache.cassandra.metrics:type=DroppedMessage,scope=HINT,name=Dropped
{{- end }}
{{- if .thrift }}
  - dev.ringside.thrift:type=TDisruptorServer,name=*
{{- end }}
{{- if .cassandra }}
# No rule depends on a value, so results are cached by name. Without the cache, every scrape tries every rule on every attribute.
{{- end }}
rules:
{{- if .cassandra }}
  # Requests, by coordinator. Cassandra reports microseconds.
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Read, name=Latency><>Count
    cache: true
    name: cassandra_client_requests_total
    type: COUNTER
    labels: {operation: read}
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Write, name=Latency><>Count
    cache: true
    name: cassandra_client_requests_total
    type: COUNTER
    labels: {operation: write}
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Read, name=Latency><>(50|95|99)thPercentile
    cache: true
    name: cassandra_client_request_latency_seconds
    type: GAUGE
    labels: {operation: read, quantile: "0.$1"}
    valueFactor: 0.000001
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Read, name=Latency><>999thPercentile
    cache: true
    name: cassandra_client_request_latency_seconds
    type: GAUGE
    labels: {operation: read, quantile: "0.999"}
    valueFactor: 0.000001
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Write, name=Latency><>(50|95|99)thPercentile
    cache: true
    name: cassandra_client_request_latency_seconds
    type: GAUGE
    labels: {operation: write, quantile: "0.$1"}
    valueFactor: 0.000001
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Write, name=Latency><>999thPercentile
    cache: true
    name: cassandra_client_request_latency_seconds
    type: GAUGE
    labels: {operation: write, quantile: "0.999"}
    valueFactor: 0.000001
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Read, name=Timeouts><>Count
    cache: true
    name: cassandra_client_request_errors_total
    type: COUNTER
    labels: {operation: read, kind: timeout}
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Read, name=Unavailables><>Count
    cache: true
    name: cassandra_client_request_errors_total
    type: COUNTER
    labels: {operation: read, kind: unavailable}
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Read, name=Failures><>Count
    cache: true
    name: cassandra_client_request_errors_total
    type: COUNTER
    labels: {operation: read, kind: failure}
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Write, name=Timeouts><>Count
    cache: true
    name: cassandra_client_request_errors_total
    type: COUNTER
    labels: {operation: write, kind: timeout}
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Write, name=Unavailables><>Count
    cache: true
    name: cassandra_client_request_errors_total
    type: COUNTER
    labels: {operation: write, kind: unavailable}
  - pattern: org.apache.cassandra.metrics<type=ClientRequest, scope=Write, name=Failures><>Count
    cache: true
    name: cassandra_client_request_errors_total
    type: COUNTER
    labels: {operation: write, kind: failure}
  # Thread pools (stages).
  - pattern: org.apache.cassandra.metrics<type=ThreadPools, path=(\w+), scope=(\w+), name=ActiveTasks><>Value
    cache: true
    name: cassandra_thread_pool_active_tasks
    type: GAUGE
    labels: {path: $1, pool: $2}
  - pattern: org.apache.cassandra.metrics<type=ThreadPools, path=(\w+), scope=(\w+), name=PendingTasks><>Value
    cache: true
    name: cassandra_thread_pool_pending_tasks
    type: GAUGE
    labels: {path: $1, pool: $2}
  - pattern: org.apache.cassandra.metrics<type=ThreadPools, path=(\w+), scope=(\w+), name=CurrentlyBlockedTasks><>(Value|Count)
    cache: true
    name: cassandra_thread_pool_blocked_tasks
    type: GAUGE
    labels: {path: $1, pool: $2}
  # Disk and ring.
  - pattern: org.apache.cassandra.metrics<type=Compaction, name=PendingTasks><>Value
    cache: true
    name: cassandra_compactions_pending
    type: GAUGE
  - pattern: org.apache.cassandra.metrics<type=Compaction, name=BytesCompacted><>Count
    cache: true
    name: cassandra_compacted_bytes_total
    type: COUNTER
  - pattern: org.apache.cassandra.metrics<type=Storage, name=Load><>Count
    cache: true
    name: cassandra_storage_load_bytes
    type: GAUGE
  - pattern: org.apache.cassandra.metrics<type=Storage, name=TotalHints><>Count
    cache: true
    name: cassandra_hints_total
    type: COUNTER
  - pattern: org.apache.cassandra.metrics<type=Storage, name=TotalHintsInProgress><>Count
    cache: true
    name: cassandra_hints_in_progress
    type: GAUGE
  # Hints, as reported by the node that kept them, and rows whose replicas differed at a read.
  - pattern: org.apache.cassandra.metrics<type=HintsService, name=HintsSucceeded><>Count
    cache: true
    name: cassandra_hints_delivered_total
    type: COUNTER
    labels: {kind: succeeded}
  - pattern: org.apache.cassandra.metrics<type=HintsService, name=HintsFailed><>Count
    cache: true
    name: cassandra_hints_delivered_total
    type: COUNTER
    labels: {kind: failed}
  - pattern: org.apache.cassandra.metrics<type=HintsService, name=HintsTimedOut><>Count
    cache: true
    name: cassandra_hints_delivered_total
    type: COUNTER
    labels: {kind: timed-out}
  - pattern: org.apache.cassandra.metrics<type=ReadRepair, name=RepairedBlocking><>Count
    cache: true
    name: cassandra_read_repairs_total
    type: COUNTER
    labels: {kind: blocking}
{{- if .thrift }}
  - pattern: org.apache.cassandra.metrics<type=ReadRepair, name=RepairedBackground><>Count
    cache: true
    name: cassandra_read_repairs_total
    type: COUNTER
    labels: {kind: background}
{{- end }}
  - pattern: org.apache.cassandra.metrics<type=CommitLog, name=TotalCommitLogSize><>Value
    cache: true
    name: cassandra_commitlog_size_bytes
    type: GAUGE
  - pattern: org.apache.cassandra.metrics<type=DroppedMessage, scope=(\w+), name=Dropped><>Count
    cache: true
    name: cassandra_dropped_messages_total
    type: COUNTER
    labels: {message_type: $1}
{{- end }}
{{- if .thrift }}
  # The Disruptor server. It reports nanoseconds.
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>InlineRequestsTotal
    cache: true
    name: ringside_thrift_requests_total
    type: COUNTER
    labels: {server_type: disruptor, path: inline}
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>HandedOffRequestsTotal
    cache: true
    name: ringside_thrift_requests_total
    type: COUNTER
    labels: {server_type: disruptor, path: handed_off}
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>HandlerNanosTotal
    cache: true
    name: ringside_thrift_handler_seconds_total
    type: COUNTER
    labels: {server_type: disruptor}
    valueFactor: 0.000000001
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>QueueNanosTotal
    cache: true
    name: ringside_thrift_queue_seconds_total
    type: COUNTER
    labels: {server_type: disruptor}
    valueFactor: 0.000000001
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>BackpressureNanosTotal
    cache: true
    name: ringside_thrift_backpressure_seconds_total
    type: COUNTER
    labels: {server_type: disruptor}
    valueFactor: 0.000000001
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>Connections
    cache: true
    name: ringside_thrift_connections
    type: GAUGE
    labels: {server_type: disruptor}
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>AcceptedTotal
    cache: true
    name: ringside_thrift_accepted_connections_total
    type: COUNTER
    labels: {server_type: disruptor}
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>RingOccupancy
    cache: true
    name: ringside_thrift_ring_occupancy
    type: GAUGE
    labels: {server_type: disruptor}
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>RingSize
    cache: true
    name: ringside_thrift_ring_capacity
    type: GAUGE
    labels: {server_type: disruptor}
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>Threads
    cache: true
    name: ringside_thrift_threads
    type: GAUGE
    labels: {server_type: disruptor}
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>ParkedThreads
    cache: true
    name: ringside_thrift_parked_threads
    type: GAUGE
    labels: {server_type: disruptor}
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>EventLoops
    cache: true
    name: ringside_thrift_event_loops
    type: GAUGE
    labels: {server_type: disruptor}
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>BytesReadTotal
    cache: true
    name: ringside_thrift_bytes_total
    type: COUNTER
    labels: {server_type: disruptor, direction: in}
  - pattern: dev.ringside.thrift<type=TDisruptorServer, name=[^>]+><>BytesWrittenTotal
    cache: true
    name: ringside_thrift_bytes_total
    type: COUNTER
    labels: {server_type: disruptor, direction: out}
{{- end }}
{{ end }}
