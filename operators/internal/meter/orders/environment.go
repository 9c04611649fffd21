// Package orders is what a load pod is told: the names of its environment variables, and how a measurement's totals are
// shared out between its pods. The operator writes them, meter reads them, load images rely on them (docs/reference/load-contract.md).
package orders

import "strings"

// What the operator tells meter.
const (
	// EnvNamespace and EnvMeasurement name the Measurement that the pod works for.
	EnvNamespace   = "RINGSIDE_NAMESPACE"
	EnvMeasurement = "RINGSIDE_MEASUREMENT"
	// EnvAttempt is the attempt at the measurement, from 1.
	EnvAttempt = "RINGSIDE_ATTEMPT"
	// EnvIndex is the pod's index, from 0. An Indexed Job sets it.
	EnvIndex = "JOB_COMPLETION_INDEX"
	// EnvPod and EnvNode are the pod's and its node's name.
	EnvPod  = "POD_NAME"
	EnvNode = "NODE_NAME"
	// EnvListen is the address that metrics are served on; port MetricsPort of every address when empty.
	EnvListen = "RINGSIDE_METRICS_ADDRESS"
	// EnvLinger is how many seconds meter waits at most, once the part is Done, for Prometheus to take the last values, and how many its
	// metrics are there at least where nobody has taken any; DefaultLinger when empty, 0 to end at once.
	EnvLinger = "RINGSIDE_LINGER_SECONDS"
	// EnvSocket is where meter and the load tool's container of the same pod meet.
	EnvSocket = "RINGSIDE_SOCKET"
	// EnvProfilers are where the store's pods give profiles of themselves, for a measurement that takes one: pod=host:port,pod=host:port;
	// without an address for a pod that gives none.
	EnvProfilers = "RINGSIDE_PROFILERS"
	// EnvTerminationLog is the file for the pod's termination message; Kubernetes' own when empty.
	EnvTerminationLog = "RINGSIDE_TERMINATION_LOG"
)

// What the operator tells the load; meter passes it on.
const (
	EnvEndpoints         = "RINGSIDE_ENDPOINTS"
	EnvReplicationFactor = "RINGSIDE_REPLICATION_FACTOR"
	EnvParamPrefix       = "RINGSIDE_PARAM_"
	// EnvScratch is a writable folder.
	EnvScratch = "RINGSIDE_SCRATCH"
	// EnvArms are the servers that an interleaved phase goes round among, instead of EnvEndpoints: arm=host:port,host:port;arm=...
	EnvArms = "RINGSIDE_ARMS"
	// EnvInterleave is InterleaveWindows or InterleaveDuet; EnvWindowMillis, EnvLeadInMillis, EnvWarmupSeconds and EnvSeed shape the windows and their
	// order, EnvBaseline is the arm that a duet's others are beside.
	EnvInterleave    = "RINGSIDE_INTERLEAVE"
	EnvWindowMillis  = "RINGSIDE_WINDOW_MILLIS"
	EnvLeadInMillis  = "RINGSIDE_LEAD_IN_MILLIS"
	EnvWarmupSeconds = "RINGSIDE_WARMUP_SECONDS"
	EnvSeed          = "RINGSIDE_SEED"
	EnvBaseline      = "RINGSIDE_BASELINE"
	// EnvReconnectBlocks are the blocks of windows, from 0, before which all connections are opened again: 3,6,9; none where they stay.
	EnvReconnectBlocks = "RINGSIDE_RECONNECT_BLOCKS"
	// EnvCounters are where the store's pods tell what they used: host:port,host:port. The load is told only in an interleaved phase, an idle
	// one, or a search by the queue; meter in every phase before and after which it reads them.
	EnvCounters = "RINGSIDE_COUNTERS"
	// EnvEvents are the same addresses, for meter, in a phase under whose faults it asks what the store's nodes did for one another.
	EnvEvents = "RINGSIDE_EVENTS"
)

// What a search for a capacity is told: an objective, and the rates to begin and to end with.
const (
	EnvCapacityPercentile  = "RINGSIDE_CAPACITY_PERCENTILE"
	EnvCapacityBoundMicros = "RINGSIDE_CAPACITY_BOUND_MICROS"
	// EnvCapacityQueue is which of the store's counters make the queue that may not grow, instead of a bound: received-done.
	EnvCapacityQueue             = "RINGSIDE_CAPACITY_QUEUE"
	EnvCapacityFailedPermille    = "RINGSIDE_CAPACITY_FAILED_PERMILLE"
	EnvCapacityFrom              = "RINGSIDE_CAPACITY_FROM"
	EnvCapacityTo                = "RINGSIDE_CAPACITY_TO"
	EnvCapacityStepMillis        = "RINGSIDE_CAPACITY_STEP_MILLIS"
	EnvCapacityPrecisionPermille = "RINGSIDE_CAPACITY_PRECISION_PERMILLE"
)

// What a load is told that has the store killed in its middle: when, from its first operation on, and where all pods of the store take the
// order, host:port,host:port.
const (
	EnvRecoveryKillMillis = "RINGSIDE_RECOVERY_KILL_MILLIS"
	EnvKill               = "RINGSIDE_KILL"
)

// EnvFailover is true for a load under which nodes of the store are lost: it opens a connection that is lost again, at the next endpoint.
const EnvFailover = "RINGSIDE_FAILOVER"

// Values of EnvInterleave.
const (
	InterleaveWindows = "windows"
	InterleaveDuet    = "duet"
)

// What meter tells the load: the pod's share of the measurement, and where to write.
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
	// EnvStart is where a tool that waits finds the instant of its start, in milliseconds since the epoch. It says that it is connected
	// by a file of that name and ReadySuffix. Set only where there are several load pods, and the image can wait.
	EnvStart   = "RINGSIDE_START"
	EnvHlog    = "RINGSIDE_HLOG"
	EnvSummary = "RINGSIDE_SUMMARY"
)

// ReadySuffix ends the name of the file by which a tool says that it is connected. WaitsSuffix ends the name of the file beside /load
// by which an image says that its tool can wait for its start.
const (
	ReadySuffix = ".ready"
	WaitsSuffix = ".waits"
)

const (
	// MetricsPort is the port that meter serves /metrics on. Its container port is named "metrics".
	MetricsPort = 9400
	// DefaultLinger in seconds: a scrape interval of 30 s, which is what PodMonitors commonly have, and what Prometheus takes to find a
	// new pod. Nobody waits for it, since the part is Done before; the pod's requests are held as long.
	DefaultLinger = 40
)

// Exit codes of meter. A load tool's own code is passed on; one that a signal ended gives 128 and the signal.
const (
	ExitDone = 0
	// ExitUsage is a load tool's and meter's word for orders that make no sense: trying again will not help.
	ExitUsage = 64
	// ExitUndelivered reports that the load ended but the API server could not be told in time.
	ExitUndelivered = 70
	// ExitToolFailed is meter's own word for a load whose log cannot be read, or that never started.
	ExitToolFailed = 1
	// ExitToolLost reports that the load tool's container ended without a word, or never came.
	ExitToolLost = 76
	// ExitSuperseded reports that the measurement has gone on to another attempt.
	ExitSuperseded = 75
	// ExitTerminated reports that the pod was asked to end.
	ExitTerminated = 143
)

// ParamName is the variable that carries an experiment's parameter: a-b.c becomes RINGSIDE_PARAM_A_B_C.
func ParamName(parameter string) string {
	return EnvParamPrefix + strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToUpper(parameter))
}
