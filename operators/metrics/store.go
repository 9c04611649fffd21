package metrics

// Metrics of a Cassandra node, from the JMX exporter of the store's chart.
const (
	CassandraRequests        = "cassandra_client_requests_total"
	CassandraRequestLatency  = "cassandra_client_request_latency_seconds"
	CassandraRequestErrors   = "cassandra_client_request_errors_total"
	CassandraTasksActive     = "cassandra_thread_pool_active_tasks"
	CassandraTasksPending    = "cassandra_thread_pool_pending_tasks"
	CassandraTasksBlocked    = "cassandra_thread_pool_blocked_tasks"
	CassandraCompactions     = "cassandra_compactions_pending"
	CassandraCompactedBytes  = "cassandra_compacted_bytes_total"
	CassandraLoadBytes       = "cassandra_storage_load_bytes"
	CassandraCommitLogBytes  = "cassandra_commitlog_size_bytes"
	CassandraHints           = "cassandra_hints_total"
	CassandraHintsInProgress = "cassandra_hints_in_progress"
	// CassandraHintsDelivered counts hints that were sent to whom they were kept for; LabelKind is succeeded, failed or timed-out.
	CassandraHintsDelivered = "cassandra_hints_delivered_total"
	// CassandraReadRepairs counts rows that a read put right; LabelKind is blocking, where the reader waited for it, or background.
	CassandraReadRepairs     = "cassandra_read_repairs_total"
	CassandraDroppedMessages = "cassandra_dropped_messages_total"
	JVMGCSeconds             = "jvm_gc_collection_seconds_sum"
	JVMGCCount               = "jvm_gc_collection_seconds_count"
	JVMMemoryUsed            = "jvm_memory_used_bytes"
	JVMMemoryMax             = "jvm_memory_max_bytes"
	ProcessCPUSeconds        = "process_cpu_seconds_total"
	LabelPool                = "pool"
	LabelMessageType         = "message_type"
	LabelArea                = "area"
	LabelGC                  = "gc"
)

// Metrics of a Thrift server inside a store's node, with LabelServerType. A server gives those that apply to it.
const (
	// ThriftRequests counts answered requests; LabelPath is inline or handed_off.
	ThriftRequests = "ringside_thrift_requests_total"
	// ThriftHandlerSeconds is the time spent in the processor, ThriftQueueSeconds the time from a whole frame in hand to its
	// start.
	ThriftHandlerSeconds   = "ringside_thrift_handler_seconds_total"
	ThriftQueueSeconds     = "ringside_thrift_queue_seconds_total"
	ThriftConnections      = "ringside_thrift_connections"
	ThriftConnectionsTotal = "ringside_thrift_accepted_connections_total"
	// ThriftBytes counts what was received and sent; LabelDirection is in or out. A frame is a request.
	ThriftBytes = "ringside_thrift_bytes_total"
	// ThriftThreads are all of a server's threads, ThriftParkedThreads those that have nothing to do.
	ThriftThreads       = "ringside_thrift_threads"
	ThriftParkedThreads = "ringside_thrift_parked_threads"
	// ThriftEventLoops are those of a server's event loops that are in use.
	ThriftEventLoops    = "ringside_thrift_event_loops"
	ThriftRingOccupancy = "ringside_thrift_ring_occupancy"
	ThriftRingCapacity  = "ringside_thrift_ring_capacity"
	// ThriftBackpressureSeconds is the time in which reading was stopped because the ring was full.
	ThriftBackpressureSeconds = "ringside_thrift_backpressure_seconds_total"

	LabelPath      = "path"
	LabelDirection = "direction"
)
