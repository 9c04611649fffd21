package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MeasurementSpec is one cell of the plan: everything that distinguishes one measurement from another.
//
// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="a measurement's spec is immutable"
type MeasurementSpec struct {
	// Experiment is the name of the experiment, Run the identifier of the run.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Experiment string `json:"experiment"`
	// +required
	// +kubebuilder:validation:MaxLength=63
	Run string `json:"run"`
	// +required
	// +kubebuilder:validation:MaxLength=63
	Store string `json:"store"`
	// Server is the server's name, ServerType the store's server.type.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Server string `json:"server"`
	// +required
	// +kubebuilder:validation:MaxLength=63
	ServerType string `json:"serverType"`
	// Instance is the store's name for the server, if it differs from the type: several servers of one type have distinct names.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Instance string `json:"instance,omitempty"`
	// +required
	Round int32 `json:"round"`
	// Warmup marks a measurement of a warm-up round, of a phase of type Prepare or for a profile. It is shown, but never compared.
	// +optional
	Warmup bool `json:"warmup,omitempty"`
	// +required
	// +kubebuilder:validation:MaxLength=63
	Phase string `json:"phase"`
	// +required
	// +kubebuilder:validation:MaxLength=63
	Operation string `json:"operation"`
	// +required
	Repeat int32 `json:"repeat"`
	// Operations is the number of operations over all pods; 0 if Duration bounds the phase.
	// +optional
	Operations int64 `json:"operations,omitempty"`
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	Duration *metav1.Duration `json:"duration,omitempty"`
	// AwaitCompactions is the longest wait after the load until the store has no pending compactions; absent for no wait.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	AwaitCompactions *metav1.Duration `json:"awaitCompactions,omitempty"`
	// Idle reports that nothing was sent to the store: the result is the CPU time of its idle processes.
	// +optional
	Idle bool `json:"idle,omitempty"`
	// +required
	Keys int64 `json:"keys"`
	// +required
	Threads int32 `json:"threads"`
	// Connections is the number of connections over all pods; 0 means one per thread.
	// +optional
	Connections int32 `json:"connections,omitempty"`
	// TargetRate is the offered load in operations per second over all pods; 0 means closed-loop.
	// +optional
	TargetRate int64 `json:"targetRate,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Consistency string `json:"consistency,omitempty"`
	// Pods is the number of load pods.
	// +required
	Pods int32 `json:"pods"`
	// Installation is the number of the store's installation, from 1. Empty means 1.
	// +optional
	// +kubebuilder:validation:Minimum=1
	Installation int32 `json:"installation,omitempty"`
	// Interleave is how the load switched between the servers; absent if this server had the load alone. Duration is then that of the windows
	// of all servers together.
	// +optional
	Interleave *Interleave `json:"interleave,omitempty"`
	// Capacity is the capacity search; absent for any other phase.
	// +optional
	Capacity *CapacitySpec `json:"capacity,omitempty"`
	// Recovery is the kill of the store during the phase; absent if there was none.
	// +optional
	Recovery *RecoverySpec `json:"recovery,omitempty"`
	// Faults are the faults to inject during the phase.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	Faults []FaultSpec `json:"faults,omitempty"`
	// Profile is the profile to take under this load; absent for a measurement.
	// +optional
	Profile *ProfileOrder `json:"profile,omitempty"`
	// Seed is the seed of the load's random choices, such as the order of windows. It differs in each round and, apart from interleaved phases, for
	// each server.
	// +optional
	Seed int64 `json:"seed,omitempty"`
	// Lead is the name of the Measurement with the Job, the attempts and the failures of an interleaved phase. Empty on that one itself.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Lead string `json:"lead,omitempty"`
	// Peer is the server that was under load at the same time, in a duet.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Peer string `json:"peer,omitempty"`
	// Arms are the servers of an interleaved phase, in the experiment's order. Only on the leading Measurement.
	// +optional
	// +listType=map
	// +listMapKey=measurement
	// +kubebuilder:validation:MaxItems=32
	Arms []Arm `json:"arms,omitempty"`
}

// Arm is one server of an interleaved phase: the tag of its windows, and the Measurement that they belong to.
type Arm struct {
	// Measurement is the name of the Measurement that the windows are stored in.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Measurement string `json:"measurement"`
	// Server is the server's name.
	// +required
	// +kubebuilder:validation:MaxLength=31
	Server string `json:"server"`
	// Tag is the prefix of the server's lines in the load's log and summary.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Tag string `json:"tag"`
}

// LatencyKind defines the start and end of the time of an operation.
// +kubebuilder:validation:Enum=service;response;wait
type LatencyKind string

const (
	// LatencyService is the service time: from the send to the reply.
	LatencyService LatencyKind = "service"
	// LatencyResponse is the response time: from when the operation was due by the schedule of a constant rate to the reply.
	LatencyResponse LatencyKind = "response"
	// LatencyWait is the wait: from when the operation was due to the send.
	LatencyWait LatencyKind = "wait"
)

// Decimal is a number in decimal notation, formatted once so that table, CSV, report and kubectl show the same digits.
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:Pattern=`^-?[0-9]+(\.[0-9]+)?$`
type Decimal string

// Condition types of a Measurement.
const (
	// ConditionStarted is true once the start was announced to all load pods.
	ConditionStarted = "Started"
	// ConditionFinished is true once the result is final, or all attempts have failed.
	ConditionFinished = "Finished"
	// ConditionValid is true if the figures may be used.
	ConditionValid = "Valid"
	// ConditionScraped is true on a finished measurement if its load pods' metrics were scraped, as by Prometheus, before the pods ended. On
	// an Experiment it is false if no measurement was scraped although there was time for it.
	ConditionScraped = "Scraped"
)

// Reasons of a Measurement's conditions. A measurement with a result that is not Valid has the reason of a gate there.
const (
	ReasonPreparing      = "Preparing"      // load pods are being started
	ReasonRetrying       = "Retrying"       // an attempt failed, and the next one begins
	ReasonAnnounced      = "Announced"      // the start was announced to all load pods
	ReasonCollected      = "Collected"      // the result of the load was collected
	ReasonAttemptsUsedUp = "AttemptsUsedUp" // all attempts failed
	ReasonAllGatesPassed = "AllGatesPassed" // the figures may be used
	ReasonNoResult       = "NoResult"       // there are no figures, because all attempts failed
	ReasonScraped        = "Scraped"        // load pods were scraped before they delivered their results
	ReasonNotYet         = "NotYet"         // no load pod was scraped before it delivered its result
)

// MeasurementStatus is the result of the phase.
type MeasurementStatus struct {
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Conditions are Started, Finished, Valid and Scraped.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// Attempt is the number of the current or last attempt, from 1. Parts of earlier attempts do not count.
	// +optional
	Attempt int32 `json:"attempt,omitempty"`
	// StartAt is the announced instant at which all pods of the attempt begin. The operator sets it once all parts are ready.
	// +optional
	StartAt *metav1.MicroTime `json:"startAt,omitempty"`
	// Parts are the results of the load pods. The operator records them with the result; until then, each is in its pod's MeasurementPart.
	// +optional
	// +listType=map
	// +listMapKey=index
	// +kubebuilder:validation:MaxItems=64
	Parts []Part `json:"parts,omitempty"`
	// StorePods are the store's pods at the start of the attempt, to detect a restart at its end.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=1024
	StorePods []StorePod `json:"storePods,omitempty"`
	// Faults are the faults that were requested so far in the attempt.
	// +optional
	// +listType=map
	// +listMapKey=index
	// +kubebuilder:validation:MaxItems=8
	Faults []FaultStatus `json:"faults,omitempty"`
	// LoadImage is the image of the attempt's load pods.
	// +optional
	LoadImage *LoadImage `json:"loadImage,omitempty"`
	// Failures are the failed attempts.
	// +optional
	// +listType=map
	// +listMapKey=attempt
	// +kubebuilder:validation:MaxItems=16
	Failures []AttemptFailure `json:"failures,omitempty"`
	// Result is the exact merge of the parts, computed by the operator.
	// +optional
	Result *Result `json:"result,omitempty"`
	// Proof is the proof of the measured variant.
	// +optional
	Proof *Proof `json:"proof,omitempty"`
	// Environment describes the nodes and the store of the measurement.
	// +optional
	Environment *Environment `json:"environment,omitempty"`
	// Valid repeats the condition, for columns and CSV.
	// +optional
	Valid bool `json:"valid,omitempty"`
	// InvalidReasons are the messages of gates that make the measurement invalid, or of the failed attempts if there is no result.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=1024
	// +kubebuilder:validation:items:MaxLength=32768
	InvalidReasons []string `json:"invalidReasons,omitempty"`
	// Warnings are the messages of gates in mode Warn.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=1024
	// +kubebuilder:validation:items:MaxLength=32768
	Warnings []string `json:"warnings,omitempty"`
	// Reasons are the machine-readable reasons of InvalidReasons, each once.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	Reasons []Reason `json:"reasons,omitempty"`
	// WarningReasons are the machine-readable reasons of Warnings, each once.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	WarningReasons []Reason `json:"warningReasons,omitempty"`
}

// StorePod identifies one life of a store pod.
type StorePod struct {
	// +required
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
	// +required
	// +kubebuilder:validation:MaxLength=64
	UID string `json:"uid"`
	// Restarts is the number of restarts of its containers.
	// +optional
	Restarts int32 `json:"restarts,omitempty"`
	// ReadySince is when the pod last became ready; empty while it is not ready.
	// +optional
	ReadySince *metav1.Time `json:"readySince,omitempty"`
}

// Build describes a built image. The running image is verified against it.
type Build struct {
	// ImageDigests are the digests that nodes may report for the image: of its index, and for each platform of its manifest and of its
	// configuration. Empty: unknown.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:items:MaxLength=80
	ImageDigests []string `json:"imageDigests,omitempty"`
	// PluginSHA256 is the hash, in hexadecimal, of the jar with the servers in the image. Empty: unknown.
	// +optional
	// +kubebuilder:validation:MaxLength=80
	PluginSHA256 string `json:"pluginSHA256,omitempty"`
}

// LoadImage is the image of the load pods.
type LoadImage struct {
	// Reference is the image reference of the pods.
	// +required
	// +kubebuilder:validation:MaxLength=1024
	Reference string `json:"reference"`
	// Digests are the distinct digests that kubelets reported. More than one means that not all pods ran the same image.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=256
	Digests []string `json:"digests,omitempty"`
	// Built describes the build of the image.
	// +optional
	Built *Build `json:"built,omitempty"`
}

// FailureReason is why an attempt failed.
// +kubebuilder:validation:Enum=LoadPodLost;LoadToolFailed;LoadTimedOut;StoreRestarted
type FailureReason string

// Reasons for which an attempt fails.
const (
	// FailureLoadPodLost: a load pod or its Job was removed or lost before it had written its log.
	FailureLoadPodLost FailureReason = "LoadPodLost"
	// FailureLoadToolFailed: the load tool ended with an error.
	FailureLoadToolFailed FailureReason = "LoadToolFailed"
	// FailureLoadTimedOut: the phase took longer than the load's timeout.
	FailureLoadTimedOut FailureReason = "LoadTimedOut"
	// FailureStoreRestarted: a store pod restarted, was removed or was not ready during the phase.
	FailureStoreRestarted FailureReason = "StoreRestarted"
)

// AttemptFailure is a failed attempt.
type AttemptFailure struct {
	// +required
	Attempt int32 `json:"attempt"`
	// +required
	Reason FailureReason `json:"reason"`
	// Message is the cause, with the tool's last lines.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Message string `json:"message,omitempty"`
	// +required
	At metav1.Time `json:"at"`
}

// PartPhase is the state of one load pod.
// +kubebuilder:validation:Enum=Ready;Running;Settling;Done;Failed
type PartPhase string

// States of a load pod.
const (
	// PartReady: the pod waits for the start.
	PartReady PartPhase = "Ready"
	// PartRunning: the pod drives load.
	PartRunning PartPhase = "Running"
	// PartSettling: the pod has delivered its result, and awaits the end of the store's compactions. If it is lost, the result stands.
	PartSettling PartPhase = "Settling"
	// PartDone: the pod has delivered its result.
	PartDone PartPhase = "Done"
	// PartFailed: the pod ended with an error.
	PartFailed PartPhase = "Failed"
)

// Part is the result of one load pod.
type Part struct {
	// Index is the pod's index in its Job, from 0.
	// +required
	Index int32 `json:"index"`
	// Attempt is the attempt that the part belongs to.
	// +required
	Attempt int32 `json:"attempt"`
	// +required
	State PartPhase `json:"state"`
	// +required
	// +kubebuilder:validation:MaxLength=253
	Pod string `json:"pod"`
	// +optional
	// +kubebuilder:validation:MaxLength=253
	Node string `json:"node,omitempty"`
	// Operations is the number of operations answered so far, without errors.
	// +optional
	Operations int64 `json:"operations"`
	// Errors is the number of operations that the load tool gave up.
	// +optional
	Errors int64 `json:"errors"`
	// LastError is the last line that the load tool wrote to its standard error, if operations failed.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	LastError string `json:"lastError,omitempty"`
	// ErrorsByKind counts the errors by kind; the sum is Errors. All are unknown if the load tool does not report kinds.
	// +optional
	// +listType=map
	// +listMapKey=kind
	// +kubebuilder:validation:MaxItems=16
	ErrorsByKind []ErrorCount `json:"errorsByKind,omitempty"`
	// OpRate and P95Millis are figures of the latest interval, for progress lines.
	// +optional
	OpRate Decimal `json:"opRate,omitempty"`
	// +optional
	P95Millis Decimal `json:"p95Millis,omitempty"`
	// FirstIntervalAt is the start of the log's first interval, LastIntervalAt the end of the last.
	// +optional
	FirstIntervalAt *metav1.MicroTime `json:"firstIntervalAt,omitempty"`
	// +optional
	LastIntervalAt *metav1.MicroTime `json:"lastIntervalAt,omitempty"`
	// ClockOffsetMicros is the estimated offset of the pod's clock from the API server's (positive if ahead), and ClockErrorMicros the bound of
	// its error. Absent with one load pod and no faults, or if unknown.
	// +optional
	ClockOffsetMicros *int64 `json:"clockOffsetMicros,omitempty"`
	// +optional
	ClockErrorMicros *int64 `json:"clockErrorMicros,omitempty"`
	// Scraped reports that the pod's metrics were scraped, as by Prometheus, before it delivered its result.
	// +optional
	Scraped bool `json:"scraped,omitempty"`
	// Connected reports that the load tool had opened its connections before the pod was ready; absent if the tool cannot wait for its start.
	// +optional
	Connected bool `json:"connected,omitempty"`
	// CPUUsedPermille is the share of its available CPU that the container used while it drove load, in permille, from its cgroup. Absent if
	// unknown.
	// +optional
	CPUUsedPermille *int64 `json:"cpuUsedPermille,omitempty"`
	// CPUWaitedPermille is the share of the time in which the load tool's threads were runnable that they waited for a core, in permille, from
	// the scheduler's statistics. Absent if unknown.
	// +optional
	CPUWaitedPermille *int64 `json:"cpuWaitedPermille,omitempty"`
	// ThrottledMillis is the time for which the CPU limit throttled the container while it drove load.
	// +optional
	ThrottledMillis int64 `json:"throttledMillis,omitempty"`
	// Logs are the ConfigMaps that hold the gzipped HdrHistogram log, in order; concatenated they are one gzip stream.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=12
	// +kubebuilder:validation:items:MaxLength=253
	Logs []string `json:"logs,omitempty"`
	// Message has the last lines of a failed tool.
	// +optional
	// +kubebuilder:validation:MaxLength=8192
	Message string `json:"message,omitempty"`
	// Keys is the number of keys that the tool reports, for tools whose operations touch several.
	// +optional
	Keys int64 `json:"keys,omitempty"`
	// Unanswered is the number of operations that neither were answered nor failed: those of Outcomes that are no answer, such as a lost
	// datagram.
	// +optional
	Unanswered int64 `json:"unanswered,omitempty"`
	// NotBegun is the number of operations that were due at a constant rate but never started.
	// +optional
	// +kubebuilder:validation:Minimum=0
	NotBegun int64 `json:"notBegun,omitempty"`
	// Outcomes counts the operations that did not fail by outcome, if the load distinguishes outcomes.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Outcomes []Outcome `json:"outcomes,omitempty"`
	// Capacity is the result of the load's capacity search, with all steps.
	// +optional
	Capacity *Capacity `json:"capacity,omitempty"`
	// Recovery is the recovery of a store that was killed during the phase.
	// +optional
	Recovery *Recovery `json:"recovery,omitempty"`
	// Profile is the profile taken during the phase, by the pod with index 0.
	// +optional
	Profile *Profile `json:"profile,omitempty"`
	// StoreReadings are the store's I/O counters at the pod's start and end; absent if the store does not report them.
	// +optional
	StoreReadings *StoreReadings `json:"storeReadings,omitempty"`
	// StoreEvents are counters of work between the store's nodes during faults, as read by the pod with index 0; absent if the store does not
	// report them.
	// +optional
	StoreEvents *StoreEvents `json:"storeEvents,omitempty"`
	// PendingCompactions are the compactions that were pending in all pods of the store right before the load, PendingCompactionsAfter those after
	// it, or after the wait for their end; absent if the store does not report them.
	// +optional
	PendingCompactions *int64 `json:"pendingCompactions,omitempty"`
	// +optional
	PendingCompactionsAfter *int64 `json:"pendingCompactionsAfter,omitempty"`
}

// Outcome is the number of operations with one outcome: hit, miss, busy, lost.
type Outcome struct {
	// +required
	// +kubebuilder:validation:Pattern=`^[a-z][a-z0-9-]{0,31}$`
	// +kubebuilder:validation:MaxLength=32
	Name string `json:"name"`
	// +required
	// +kubebuilder:validation:Minimum=0
	Count int64 `json:"count"`
}

// Result has the measurement's figures, computed once from merged histograms.
type Result struct {
	// Operations is the number of answered operations, Errors that of failed ones.
	// +required
	Operations int64 `json:"operations"`
	// +required
	Errors int64 `json:"errors"`
	// ErrorsByKind counts the errors of all load pods by kind; the sum is Errors.
	// +optional
	// +listType=map
	// +listMapKey=kind
	// +kubebuilder:validation:MaxItems=16
	ErrorsByKind []ErrorCount `json:"errorsByKind,omitempty"`
	// Unanswered is the number of operations that neither were answered nor failed: those of Outcomes that are no answer. Their time is in no
	// distribution.
	// +optional
	Unanswered int64 `json:"unanswered,omitempty"`
	// NotBegun is the number of operations that were due at a constant rate but never started. If there are any, no latency is reported:
	// theirs would have been the longest.
	// +optional
	// +kubebuilder:validation:Minimum=0
	NotBegun int64 `json:"notBegun,omitempty"`
	// Outcomes counts the operations that did not fail by outcome, if the load distinguishes outcomes.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Outcomes []Outcome `json:"outcomes,omitempty"`
	// Capacity is the result of a capacity search, with all steps. The other figures are those of the step nearest to the capacity.
	// +optional
	Capacity *Capacity `json:"capacity,omitempty"`
	// Recovery is the recovery of a store that was killed during the phase. The other figures are those of a load that waited for it.
	// +optional
	Recovery *Recovery `json:"recovery,omitempty"`
	// Faults are the costs of the faults during the phase. The other figures are those of the whole phase.
	// +optional
	// +listType=map
	// +listMapKey=index
	// +kubebuilder:validation:MaxItems=8
	Faults []FaultEffect `json:"faults,omitempty"`
	// Profile is the profile taken during the phase. The other figures are those of a profiled store.
	// +optional
	Profile *Profile `json:"profile,omitempty"`
	// OpRate is operations per second, from the first interval's start to the last interval's end; in an interleaved phase, over the
	// server's windows.
	// +required
	OpRate Decimal `json:"opRate"`
	// +required
	KeyRate Decimal `json:"keyRate"`
	// OpRateMid80 leaves out the first and the last tenth of the intervals, as cassandra-stress's own tables did.
	// +required
	OpRateMid80 Decimal `json:"opRateMid80"`
	// +required
	KeyRateMid80 Decimal `json:"keyRateMid80"`
	// OperationSeconds is the time from the first interval's start to the last interval's end, the sum of the server's windows, or the length
	// of Common.
	// +required
	OperationSeconds Decimal `json:"operationSeconds"`
	// +required
	StartedAt metav1.MicroTime `json:"startedAt"`
	// +required
	FinishedAt metav1.MicroTime `json:"finishedAt"`
	// Common is the time in which all of several load pods drove load. Op rates and latencies are those of this time.
	// +optional
	Common *CommonWindow `json:"common,omitempty"`
	// StartSkewMillis is the time between the starts of the first and the last load pod, by the API server's clock if known.
	// +optional
	StartSkewMillis int64 `json:"startSkewMillis,omitempty"`
	// LatencyKind is the kind of the measurement's latencies: response at a constant rate, else service.
	// +required
	LatencyKind LatencyKind `json:"latencyKind"`
	// Latencies are the latencies by kind. Those of LatencyKind include the operations that failed, with at least their client's timeout.
	// +required
	// +listType=map
	// +listMapKey=kind
	// +kubebuilder:validation:MaxItems=3
	Latencies []Latency `json:"latencies"`
	// ByOperation has the figures of each kind of operation of a mixed load, by the tags of its log.
	// +optional
	// +listType=map
	// +listMapKey=operation
	// +kubebuilder:validation:MaxItems=16
	ByOperation []OperationFigures `json:"byOperation,omitempty"`
	// Intervals are operation counts by interval of the merged log.
	// +optional
	Intervals *Intervals `json:"intervals,omitempty"`
	// StoreCPU is the CPU time of the store's processes in the server's windows of an interleaved phase, as they report it; absent if they do
	// not.
	// +optional
	StoreCPU *StoreCPU `json:"storeCPU,omitempty"`
	// StoreIO is the store's I/O under an ordinary load or a capacity search; absent if the store does not report it.
	// +optional
	StoreIO *StoreIO `json:"storeIO,omitempty"`
	// StoreEvents are counters of work between the store's nodes during faults; absent if the store does not report them.
	// +optional
	StoreEvents *StoreEvents `json:"storeEvents,omitempty"`
	// PendingCompactions are the compactions that were pending in the store when the phase began, PendingCompactionsAfter those at its end; absent
	// if the store does not report them.
	// +optional
	PendingCompactions *int64 `json:"pendingCompactions,omitempty"`
	// +optional
	PendingCompactionsAfter *int64 `json:"pendingCompactionsAfter,omitempty"`
}

// StoreCPU is the CPU time of the store's pods that run the server, over exactly its windows.
type StoreCPU struct {
	// Windows is the number of windows with figures. UnknownWindows is the number of omitted windows, for which a pod's answer was lost.
	// +required
	Windows int64 `json:"windows"`
	// +optional
	UnknownWindows int64 `json:"unknownWindows,omitempty"`
	// Operations is the number of operations answered in those windows.
	// +required
	Operations int64 `json:"operations"`
	// PerOpMicros is the CPU time per operation, in microseconds; absent if no window has figures, or more than a tenth has none.
	// +optional
	PerOpMicros Decimal `json:"perOpMicros,omitempty"`
	// IdleCores is the CPU time of the idle processes per second, in cores. Only for idle phases.
	// +optional
	IdleCores Decimal `json:"idleCores,omitempty"`
	// Groups are the shares of groups of threads, as defined by the store, and the rest.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=1024
	Groups []CPUGroup `json:"groups,omitempty"`
	// Counters are the sums of the store's counters, by the store's names.
	// +optional
	// +kubebuilder:validation:MaxProperties=1024
	Counters map[string]int64 `json:"counters,omitempty"`
}

// CPUGroup is the CPU time per operation of a group of threads.
type CPUGroup struct {
	// +required
	// +kubebuilder:validation:MaxLength=256
	Name string `json:"name"`
	// +required
	PerOpMicros Decimal `json:"perOpMicros"`
}

// OperationFigures are the figures of one kind of operation in a mixed load.
type OperationFigures struct {
	// Operation is the operation's tag in the log.
	// +required
	// +kubebuilder:validation:MaxLength=1024
	Operation string `json:"operation"`
	// Operations is the number of operations in the log, in the time of the rates and latencies.
	// +required
	Operations int64 `json:"operations"`
	// +required
	OpRate Decimal `json:"opRate"`
	// Latency is the latency of the measurement's kind.
	// +required
	Latency Latency `json:"latency"`
}

// CommonWindow is the time in which all load pods drove load, in whole intervals.
type CommonWindow struct {
	// +required
	StartedAt metav1.MicroTime `json:"startedAt"`
	// +required
	FinishedAt metav1.MicroTime `json:"finishedAt"`
	// Operations is the number of operations of all pods in this time.
	// +required
	Operations int64 `json:"operations"`
}

// Latency is a merged distribution and its percentiles, in milliseconds.
type Latency struct {
	// +required
	Kind LatencyKind `json:"kind"`
	// +required
	MedianMillis Decimal `json:"medianMillis"`
	// +required
	P95Millis Decimal `json:"p95Millis"`
	// +required
	P99Millis Decimal `json:"p99Millis"`
	// +required
	P999Millis Decimal `json:"p999Millis"`
	// +required
	MaxMillis Decimal `json:"maxMillis"`
	// +required
	MedianMid80 Decimal `json:"medianMid80Millis"`
	// +required
	P95Mid80Millis Decimal `json:"p95Mid80Millis"`
	// +required
	P999Mid80Millis Decimal `json:"p999Mid80Millis"`
	// MeanMillis and StdDevMillis are computed from the histogram's buckets.
	// +optional
	MeanMillis Decimal `json:"meanMillis,omitempty"`
	// +optional
	StdDevMillis Decimal `json:"stdDevMillis,omitempty"`
	// Further percentiles. A percentile with fewer than ten values beyond it is not reported, because it would depend on chance.
	// +optional
	P75Millis Decimal `json:"p75Millis,omitempty"`
	// +optional
	P90Millis Decimal `json:"p90Millis,omitempty"`
	// P9999Millis is the 99.99th, P99999Millis the 99.999th.
	// +optional
	P9999Millis Decimal `json:"p9999Millis,omitempty"`
	// +optional
	P99999Millis Decimal `json:"p99999Millis,omitempty"`
	// Histogram is in HdrHistogram's V2 compressed encoding, base64; values are in nanoseconds.
	// +required
	// +kubebuilder:validation:MaxLength=1000000
	Histogram string `json:"histogram"`
}

// Intervals are the operation counts of intervals of equal length.
type Intervals struct {
	// +required
	LengthMillis int64 `json:"lengthMillis"`
	// +required
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=262144
	Operations []int64 `json:"operations"`
	// WindowMicros are the lengths of the intervals, if they are the server's windows of an interleaved load.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=262144
	WindowMicros []int64 `json:"windowMicros,omitempty"`
	// StoreCounters are the store's counters in each interval, by the store's names: those that the costs of an operation consist of, and only
	// those known for every interval.
	// +optional
	// +kubebuilder:validation:MaxProperties=256
	StoreCounters map[string][]int64 `json:"storeCounters,omitempty"`
}

// Proof is the JSON line that a server logs to prove which server runs on which address, and where the line was found.
type Proof struct {
	// Server is the server type.
	// +required
	// +kubebuilder:validation:MaxLength=256
	Server string `json:"server"`
	// Class is the class that was instantiated.
	// +required
	// +kubebuilder:validation:MaxLength=1024
	Class string `json:"class"`
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Address string `json:"address,omitempty"`
	// +optional
	Port int32 `json:"port,omitempty"`
	// PluginSHA256 is the hash of the jar with the class.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	PluginSHA256 string `json:"pluginSHA256,omitempty"`
	// ImageDigest is the digest that the kubelet ran. Set by the operator.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	ImageDigest string `json:"imageDigest,omitempty"`
	// ChartDigest is the digest of the store's chart in its registry; empty for a chart of the operator's image. Set by the operator.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	ChartDigest string `json:"chartDigest,omitempty"`
	// Release of the store in which the server runs. Set by the operator.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Release string `json:"release,omitempty"`
	// Pod and Node are where the server runs. Set by the operator.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	Pod string `json:"pod,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxLength=253
	Node string `json:"node,omitempty"`
	// Environment is the environment that the store reports: jvm, jvm_flags, heap_max_bytes, ...
	// +optional
	// +kubebuilder:validation:MaxProperties=1024
	Environment map[string]string `json:"environment,omitempty"`
	// Settings are the settings that the store loaded: those that differ from its defaults, and those that the experiment sets.
	// +optional
	// +kubebuilder:validation:MaxProperties=4096
	Settings map[string]string `json:"settings,omitempty"`
	// SettingsSHA256 is the hash of all settings, including defaults; empty if the store does not report them.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	SettingsSHA256 string `json:"settingsSHA256,omitempty"`
	// Proves are the chart values that the settings prove. Set by the operator.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=4096
	// +kubebuilder:validation:items:MaxLength=1024
	Proves []string `json:"proves,omitempty"`
}

// Environment describes where and on what the measurement was taken.
type Environment struct {
	// +required
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=1024
	StoreNodes []NodeInfo `json:"storeNodes"`
	// +required
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	LoadNodes []NodeInfo `json:"loadNodes"`
	// Store is the environment that the store reports: JVM, flags, heap.
	// +optional
	// +kubebuilder:validation:MaxProperties=1024
	Store map[string]string `json:"store,omitempty"`
}

// NodeInfo describes a Kubernetes node.
type NodeInfo struct {
	// +required
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
	// +required
	// +kubebuilder:validation:MaxLength=256
	Kernel string `json:"kernel"`
	// +required
	// +kubebuilder:validation:MaxLength=256
	OSImage string `json:"osImage"`
	// +required
	// +kubebuilder:validation:MaxLength=256
	Architecture string `json:"architecture"`
	// +required
	// +kubebuilder:validation:MaxLength=256
	CPUs string `json:"cpus"`
	// +required
	// +kubebuilder:validation:MaxLength=256
	Memory string `json:"memory"`
	// +required
	// +kubebuilder:validation:MaxLength=256
	KubeletVersion string `json:"kubeletVersion"`
	// +required
	// +kubebuilder:validation:MaxLength=256
	ContainerRuntime string `json:"containerRuntime"`
	// Disk is ssd, hdd, or unknown.
	// +required
	// +kubebuilder:validation:MaxLength=256
	Disk string `json:"disk"`
	// InstanceType is the cloud's instance type, if known.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	InstanceType string `json:"instanceType,omitempty"`
}

// Measurement is the result of one phase on one server in one round.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=meas,categories=ringside
// +kubebuilder:printcolumn:name="Server",type=string,JSONPath=`.spec.server`
// +kubebuilder:printcolumn:name="Operation",type=string,JSONPath=`.spec.operation`
// +kubebuilder:printcolumn:name="Installation",type=integer,JSONPath=`.spec.installation`,priority=1
// +kubebuilder:printcolumn:name="Round",type=integer,JSONPath=`.spec.round`
// +kubebuilder:printcolumn:name="Repeat",type=integer,JSONPath=`.spec.repeat`
// +kubebuilder:printcolumn:name="Ops",type=integer,JSONPath=`.status.result.operations`
// +kubebuilder:printcolumn:name="Errors",type=integer,JSONPath=`.status.result.errors`
// +kubebuilder:printcolumn:name="Op rate",type=string,JSONPath=`.status.result.opRate`
// +kubebuilder:printcolumn:name="Median ms",type=string,JSONPath=`.status.result.latencies[0].medianMillis`
// +kubebuilder:printcolumn:name="95th ms",type=string,JSONPath=`.status.result.latencies[0].p95Millis`
// +kubebuilder:printcolumn:name="99.9th ms",type=string,JSONPath=`.status.result.latencies[0].p999Millis`
// +kubebuilder:printcolumn:name="Time s",type=string,JSONPath=`.status.result.operationSeconds`
// +kubebuilder:printcolumn:name="Valid",type=string,JSONPath=`.status.conditions[?(@.type=="Valid")].status`
// +kubebuilder:printcolumn:name="Class",type=string,JSONPath=`.status.proof.class`,priority=1
type Measurement struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +required
	Spec MeasurementSpec `json:"spec"`
	// +optional
	Status MeasurementStatus `json:"status,omitempty"`
}

// MeasurementList is a list of measurements.
//
// +kubebuilder:object:root=true
type MeasurementList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Measurement `json:"items"`
}
