// Package orders defines the orders of a load pod: the names of its environment variables, and how a measurement's totals are divided among
// its pods. The operator sets them, meter reads them, and load images rely on them (docs/reference/load-contract.md).
package orders

import "strings"

// Variables that the operator sets for meter.
const (
	// EnvNamespace and EnvMeasurement identify the pod's Measurement.
	EnvNamespace   = "RINGSIDE_NAMESPACE"
	EnvMeasurement = "RINGSIDE_MEASUREMENT"
	// EnvAttempt is the attempt of the measurement, from 1.
	EnvAttempt = "RINGSIDE_ATTEMPT"
	// EnvIndex is the pod's index, from 0. An Indexed Job sets it.
	EnvIndex = "JOB_COMPLETION_INDEX"
	// EnvPod and EnvNode are the names of the pod and its node.
	EnvPod  = "POD_NAME"
	EnvNode = "NODE_NAME"
	// EnvListen is the address for metrics; empty means port MetricsPort of all addresses.
	EnvListen = "RINGSIDE_METRICS_ADDRESS"
	// EnvLinger is the most seconds for which meter waits after the part is Done for Prometheus to scrape the last values. If there was no
	// scrape, it is the least time for which the metrics are served. Empty means DefaultLinger, 0 no wait.
	EnvLinger = "RINGSIDE_LINGER_SECONDS"
	// EnvSocket is the socket that connects meter and the load tool's container.
	EnvSocket = "RINGSIDE_SOCKET"
	// EnvProfilers are the addresses for profiles of the store's pods, for a measurement with a profile: pod=host:port,pod=host:port,
	// without an address for a pod that provides none.
	EnvProfilers = "RINGSIDE_PROFILERS"
	// EnvTerminationLog is the file for the pod's termination message; empty means that of Kubernetes.
	EnvTerminationLog = "RINGSIDE_TERMINATION_LOG"
)

// Variables that the operator sets for the load.
const (
	EnvEndpoints         = "RINGSIDE_ENDPOINTS"
	EnvReplicationFactor = "RINGSIDE_REPLICATION_FACTOR"
	EnvParamPrefix       = "RINGSIDE_PARAM_"
	// EnvScratch is a writable folder.
	EnvScratch = "RINGSIDE_SCRATCH"
	// EnvArms are the servers of an interleaved phase, instead of EnvEndpoints: arm=host:port,host:port;arm=...
	EnvArms = "RINGSIDE_ARMS"
	// EnvInterleave is InterleaveWindows or InterleaveDuet. EnvWindowMillis, EnvLeadInMillis and EnvWarmupSeconds define the windows. EnvBaseline is
	// the arm that a duet pairs with each other arm.
	EnvInterleave    = "RINGSIDE_INTERLEAVE"
	EnvWindowMillis  = "RINGSIDE_WINDOW_MILLIS"
	EnvLeadInMillis  = "RINGSIDE_LEAD_IN_MILLIS"
	EnvWarmupSeconds = "RINGSIDE_WARMUP_SECONDS"
	EnvBaseline      = "RINGSIDE_BASELINE"
	// EnvReconnectBlocks are the blocks of windows, from 0, before which all connections are reopened: 3,6,9; empty if they stay open.
	EnvReconnectBlocks = "RINGSIDE_RECONNECT_BLOCKS"
	// EnvCounters are the addresses for the counters of the store's pods: host:port,host:port. Meter has them in every phase, the load only in an
	// interleaved phase, an idle one, or a search by the queue.
	EnvCounters = "RINGSIDE_COUNTERS"
)

// Variables of a capacity search: an objective, and the first and the last rate.
const (
	EnvCapacityPercentile  = "RINGSIDE_CAPACITY_PERCENTILE"
	EnvCapacityBoundMicros = "RINGSIDE_CAPACITY_BOUND_MICROS"
	// EnvCapacityQueue is the formula of the queue that must not grow, instead of a latency limit: received-done.
	EnvCapacityQueue             = "RINGSIDE_CAPACITY_QUEUE"
	EnvCapacityFailedPermille    = "RINGSIDE_CAPACITY_FAILED_PERMILLE"
	EnvCapacityFrom              = "RINGSIDE_CAPACITY_FROM"
	EnvCapacityTo                = "RINGSIDE_CAPACITY_TO"
	EnvCapacityStepMillis        = "RINGSIDE_CAPACITY_STEP_MILLIS"
	EnvCapacityPrecisionPermille = "RINGSIDE_CAPACITY_PRECISION_PERMILLE"
)

// Variables of a load during which the store is killed: the time, from the load's first operation, and the addresses at which all pods of
// the store accept the kill command, host:port,host:port.
const (
	EnvRecoveryKillMillis = "RINGSIDE_RECOVERY_KILL_MILLIS"
	EnvKill               = "RINGSIDE_KILL"
)

// EnvFailover is true for a load during which nodes of the store fail: it reopens a lost connection at the next endpoint.
const EnvFailover = "RINGSIDE_FAILOVER"

// Values of EnvInterleave.
const (
	InterleaveWindows = "windows"
	InterleaveDuet    = "duet"
)

// Variables that meter sets for the load: the pod's share of the measurement, and the files to write.
const (
	EnvOperation       = "RINGSIDE_OPERATION"
	EnvOperations      = "RINGSIDE_OPERATIONS"
	EnvDurationSeconds = "RINGSIDE_DURATION_SECONDS"
	EnvKeys            = "RINGSIDE_KEYS"
	EnvKeyOffset       = "RINGSIDE_KEY_OFFSET"
	EnvKeyCount        = "RINGSIDE_KEY_COUNT"
	EnvThreads         = "RINGSIDE_THREADS"
	EnvConnections     = "RINGSIDE_CONNECTIONS"
	EnvTargetRate      = "RINGSIDE_TARGET_RATE"
	EnvConsistency     = "RINGSIDE_CONSISTENCY"
	EnvServerType      = "RINGSIDE_SERVER_TYPE"
	// EnvSeed is the seed of the load's random choices, such as the order of windows.
	EnvSeed = "RINGSIDE_SEED"
	// EnvStart is the file with the start time of a tool that waits, in milliseconds since the epoch. The tool confirms that it is
	// connected by a file of that name with ReadySuffix. Set only if there are several load pods and the image can wait.
	EnvStart   = "RINGSIDE_START"
	EnvHlog    = "RINGSIDE_HLOG"
	EnvSummary = "RINGSIDE_SUMMARY"
)

// ReadySuffix is the suffix of the file by which a tool confirms that it is connected. WaitsSuffix is the suffix of the file next to /load
// by which an image declares that its tool can wait for its start.
const (
	ReadySuffix = ".ready"
	WaitsSuffix = ".waits"
)

const (
	// MetricsPort is the port of /metrics. Its container port is named "metrics".
	MetricsPort = 9400
	// DefaultLinger in seconds covers a scrape interval of 30 s, which is common for PodMonitors, and the time for Prometheus to find a new
	// pod. It delays no measurement, since the part is Done before, but the pod's resource requests stay reserved.
	DefaultLinger = 40
)

// Exit codes of meter. A load tool's own code is passed on; for one that a signal ended, it is 128 and the signal.
const (
	ExitDone = 0
	// ExitUsage reports invalid orders, for the load tool and for meter. A retry does not help.
	ExitUsage = 64
	// ExitUndelivered reports that the load ended but the result could not be delivered to the API server in time.
	ExitUndelivered = 70
	// ExitToolFailed reports that meter could not read the load's log, or that the load never started.
	ExitToolFailed = 1
	// ExitToolLost reports that the load tool's container ended without a report, or never started.
	ExitToolLost = 76
	// ExitSuperseded reports that the measurement is at a later attempt, or gone.
	ExitSuperseded = 75
	// ExitTerminated reports that the pod was asked to end.
	ExitTerminated = 143
)

// ParamName returns the variable of an experiment's parameter: a-b.c becomes RINGSIDE_PARAM_A_B_C.
func ParamName(parameter string) string {
	return EnvParamPrefix + strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToUpper(parameter))
}
