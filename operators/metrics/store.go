package metrics

// Metrics of a Cassandra node, from the JMX exporter of the store's chart.
const (
	// CassandraRequests counts the requests that the node coordinated.
	CassandraRequests = "cassandra_client_requests_total"
	// CassandraRequestLatency is a quantile of the latency of the requests that the node coordinated.
	CassandraRequestLatency = "cassandra_client_request_latency_seconds"
	// CassandraRequestErrors counts the requests that failed; LabelKind is timeout, unavailable or failure.
	CassandraRequestErrors = "cassandra_client_request_errors_total"
	// CassandraTasksActive is the number of tasks that the threads of a pool execute.
	CassandraTasksActive = "cassandra_thread_pool_active_tasks"
	// CassandraTasksPending is the number of tasks that wait for a thread of a pool.
	CassandraTasksPending = "cassandra_thread_pool_pending_tasks"
	// CassandraTasksBlocked is the number of tasks that wait for room in the queue of a pool.
	CassandraTasksBlocked = "cassandra_thread_pool_blocked_tasks"
	// CassandraCompactions is the number of compactions that are due.
	CassandraCompactions = "cassandra_compactions_pending"
	// CassandraCompactedBytes counts the bytes that were compacted.
	CassandraCompactedBytes = "cassandra_compacted_bytes_total"
	// CassandraLoadBytes is the size of the node's data on disk.
	CassandraLoadBytes = "cassandra_storage_load_bytes"
	// CassandraCommitLogBytes is the size of the commit log.
	CassandraCommitLogBytes = "cassandra_commitlog_size_bytes"
	// CassandraHints counts the hints that the node wrote for other nodes.
	CassandraHints = "cassandra_hints_total"
	// CassandraHintsInProgress is the number of hints that the node is writing.
	CassandraHintsInProgress = "cassandra_hints_in_progress"
	// CassandraHintsDelivered counts the hints that were sent to the node that they were kept for; LabelKind is succeeded, failed or timed-out.
	CassandraHintsDelivered = "cassandra_hints_delivered_total"
	// CassandraReadRepairs counts the rows that a read repaired; LabelKind is blocking, where the reader waited for it, or background.
	CassandraReadRepairs = "cassandra_read_repairs_total"
	// CassandraDroppedMessages counts the messages between nodes that were dropped because they were too old.
	CassandraDroppedMessages = "cassandra_dropped_messages_total"
	// JVMGCSeconds is the time that the garbage collector took.
	JVMGCSeconds = "jvm_gc_collection_seconds_sum"
	// JVMGCCount counts the collections of the garbage collector.
	JVMGCCount = "jvm_gc_collection_seconds_count"
	// JVMMemoryUsed is the memory that the JVM uses.
	JVMMemoryUsed = "jvm_memory_used_bytes"
	// JVMMemoryMax is the memory that the JVM may use.
	JVMMemoryMax = "jvm_memory_max_bytes"
	// ProcessCPUSeconds is the CPU time of the process.
	ProcessCPUSeconds = "process_cpu_seconds_total"

	LabelPool        = "pool"
	LabelMessageType = "message_type"
	LabelArea        = "area"
	LabelGC          = "gc"
)

// Metrics of a Thrift server inside a store's node, with LabelServerType. A server gives those that apply to it.
const (
	// ThriftRequests counts the answered requests; LabelPath is inline or handed_off.
	ThriftRequests = "ringside_thrift_requests_total"
	// ThriftHandlerSeconds is the time that requests spent in the processor.
	ThriftHandlerSeconds = "ringside_thrift_handler_seconds_total"
	// ThriftQueueSeconds is the time from a complete frame to the start of its processing.
	ThriftQueueSeconds = "ringside_thrift_queue_seconds_total"
	// ThriftConnections is the number of open connections.
	ThriftConnections = "ringside_thrift_connections"
	// ThriftConnectionsTotal counts the accepted connections.
	ThriftConnectionsTotal = "ringside_thrift_accepted_connections_total"
	// ThriftBytes counts the bytes that were received and sent; LabelDirection is in or out. A frame is a request.
	ThriftBytes = "ringside_thrift_bytes_total"
	// ThriftThreads is the number of threads of the server.
	ThriftThreads = "ringside_thrift_threads"
	// ThriftParkedThreads is the number of threads that have nothing to do.
	ThriftParkedThreads = "ringside_thrift_parked_threads"
	// ThriftEventLoops is the number of event loops in use.
	ThriftEventLoops = "ringside_thrift_event_loops"
	// ThriftRingOccupancy is the number of requests in the ring.
	ThriftRingOccupancy = "ringside_thrift_ring_occupancy"
	// ThriftRingCapacity is the number of requests that the ring holds.
	ThriftRingCapacity = "ringside_thrift_ring_capacity"
	// ThriftBackpressureSeconds is the time in which the server stopped reading because the ring was full.
	ThriftBackpressureSeconds = "ringside_thrift_backpressure_seconds_total"

	LabelPath      = "path"
	LabelDirection = "direction"
)
