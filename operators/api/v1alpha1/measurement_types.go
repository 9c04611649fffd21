package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MeasurementSpec is the cell of the plan: it names all that distinguishes one measurement from another.
//
// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="a measurement's spec is fixed"
type MeasurementSpec struct {
	// Experiment is the name of the document, Run the identifier of the run.
	Experiment string `json:"experiment"`
	Run        string `json:"run"`
	Store      string `json:"store"`
	// Server is the arm's name, ServerType the store's server.type.
	Server     string `json:"server"`
	ServerType string `json:"serverType"`
	// Instance is what the store calls the server where that is not its type: several of one type have names of their own.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Instance string `json:"instance,omitempty"`
	Round    int32  `json:"round"`
	// Warmup marks a measurement of a warm-up round, of a prepare phase or for a profile: shown, never compared.
	// +optional
	Warmup    bool   `json:"warmup,omitempty"`
	Phase     string `json:"phase"`
	Operation string `json:"operation"`
	Repeat    int32  `json:"repeat"`
	// Operations over all pods; 0 when Duration bounds the phase.
	// +optional
	Operations int64 `json:"operations,omitempty"`
	// +optional
	Duration *metav1.Duration `json:"duration,omitempty"`
	// Idle says that nothing was asked of the store: what its processes use at rest is the result.
	// +optional
	Idle    bool  `json:"idle,omitempty"`
	Keys    int64 `json:"keys"`
	Threads int32 `json:"threads"`
	// Connections over all pods; 0 is as many as threads.
	// +optional
	Connections int32 `json:"connections,omitempty"`
	// TargetRate in operations per second over all pods; 0 is closed-loop.
	// +optional
	TargetRate int64 `json:"targetOpsPerSecond,omitempty"`
	// +optional
	Consistency string `json:"consistency,omitempty"`
	// Pods that drive the load.
	Pods int32 `json:"pods"`
	// Installation of the store, from 1; empty is 1. What is said of a server over several installations is not the luck of one.
	// +optional
	// +kubebuilder:validation:Minimum=1
	Installation int32 `json:"installation,omitempty"`
	// Interleave is how the load went round among the servers; nil when this one had it to itself. Duration is then that of all
	// servers' windows together.
	// +optional
	Interleave *Interleave `json:"interleave,omitempty"`
	// Capacity is what was searched for; nil for a phase that is no search.
	// +optional
	Capacity *CapacitySpec `json:"capacity,omitempty"`
	// Recovery is how the store was killed meanwhile; nil where it was not.
	// +optional
	Recovery *RecoverySpec `json:"recovery,omitempty"`
	// Faults are what was to befall nodes of the store meanwhile.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	Faults []FaultSpec `json:"faults,omitempty"`
	// Profile is what was taken of the store under this load; nil for what is measured.
	// +optional
	Profile *ProfileOrder `json:"profile,omitempty"`
	// Seed of the windows' order, another one in each round.
	// +optional
	Seed int64 `json:"seed,omitempty"`
	// Lead is the Measurement that has the job, the attempts and the failures of an interleaved phase; empty on that one itself.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Lead string `json:"lead,omitempty"`
	// Peer is the server that was under load at the same moment, in a duet.
	// +optional
	// +kubebuilder:validation:MaxLength=31
	Peer string `json:"peer,omitempty"`
	// Arms of an interleaved phase, in the order of the document; on the leading Measurement only.
	// +optional
	// +listType=map
	// +listMapKey=measurement
	// +kubebuilder:validation:MaxItems=32
	Arms []Arm `json:"arms,omitempty"`
}

// Arm is one server's part in an interleaved phase: what its windows are called, and where they belong.
type Arm struct {
	// Measurement that the arm's windows are stored in.
	// +kubebuilder:validation:MaxLength=63
	Measurement string `json:"measurement"`
	// Server is the arm's name, ServerType the store's server.type.
	// +kubebuilder:validation:MaxLength=31
	Server string `json:"server"`
	// +kubebuilder:validation:MaxLength=31
	ServerType string `json:"serverType"`
	// Instance is what the store calls the server where that is not its type.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Instance string `json:"instance,omitempty"`
	// Tag is what the arm's lines in the load's log, and in its summary, begin with.
	// +kubebuilder:validation:MaxLength=63
	Tag string `json:"tag"`
}

// LatencyKind says from when to when an operation was timed.
// +kubebuilder:validation:Enum=service;response;wait
type LatencyKind string

const (
	// LatencyService is from the send to the reply.
	LatencyService LatencyKind = "service"
	// LatencyResponse is from the moment the schedule of a constant rate asked for the operation to the reply.
	LatencyResponse LatencyKind = "response"
	// LatencyWait is from that moment to the send.
	LatencyWait LatencyKind = "wait"
)

// Decimal is a number in decimal notation, formatted once so that the table, the CSV, the report and kubectl agree to the digit.
// +kubebuilder:validation:Pattern=`^-?[0-9]+(\.[0-9]+)?$`
type Decimal string

// Condition types of a Measurement.
const (
	// ConditionStarted is true once all load pods were told their start.
	ConditionStarted = "Started"
	// ConditionFinished is true once the result stands, or the attempts are used up.
	ConditionFinished = "Finished"
	// ConditionValid says whether the figures may be used.
	ConditionValid = "Valid"
	// ConditionScraped says of a finished measurement whether its load pods' metrics had been asked for before they delivered, as
	// Prometheus does. On an Experiment it is false where that is so of all its measurements, and Prometheus would have had the time.
	ConditionScraped = "Scraped"
)

// MeasurementStatus is what the phase gave.
type MeasurementStatus struct {
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Conditions: Started, Finished, Valid, Scraped.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// Attempt under way or last made, counted from 1. Parts of earlier attempts are dropped.
	// +optional
	Attempt int32 `json:"attempt,omitempty"`
	// StartAt is the announced instant at which all pods of the attempt begin. Set by the operator once all parts are ready.
	// +optional
	StartAt *metav1.MicroTime `json:"startAt,omitempty"`
	// Parts, one per load pod; each is written by its meter.
	// +optional
	// +listType=map
	// +listMapKey=index
	Parts []Part `json:"parts,omitempty"`
	// StorePods as they were when the attempt began, so that a restart in the middle is seen at its end.
	// +optional
	// +listType=map
	// +listMapKey=name
	StorePods []StorePod `json:"storePods,omitempty"`
	// Faults of the attempt that were asked for so far.
	// +optional
	// +listType=map
	// +listMapKey=index
	// +kubebuilder:validation:MaxItems=8
	Faults []FaultStatus `json:"faults,omitempty"`
	// LoadImage is what the attempt's load pods run.
	// +optional
	LoadImage *LoadImage `json:"loadImage,omitempty"`
	// Failures of the attempts before the last, and of the last when it failed too.
	// +optional
	// +listType=map
	// +listMapKey=attempt
	Failures []AttemptFailure `json:"failures,omitempty"`
	// Result is the exact merge of the parts, made by the operator.
	// +optional
	Result *Result `json:"result,omitempty"`
	// Proof of the variant that answered.
	// +optional
	Proof *Proof `json:"proof,omitempty"`
	// Environment the measurement was taken in.
	// +optional
	Environment *Environment `json:"environment,omitempty"`
	// Valid mirrors the condition, for columns and CSV.
	// +optional
	Valid bool `json:"valid,omitempty"`
	// InvalidReasons say why the figures are withheld.
	// +optional
	// +listType=atomic
	InvalidReasons []string `json:"invalidReasons,omitempty"`
	// Warnings of gates in mode Warn.
	// +optional
	// +listType=atomic
	Warnings []string `json:"warnings,omitempty"`
}

// StorePod tells one life of a store pod from the next.
type StorePod struct {
	Name string `json:"name"`
	UID  string `json:"uid"`
	// Restarts of its containers.
	// +optional
	Restarts int32 `json:"restarts,omitempty"`
	// ReadySince tells one stretch of readiness from the next; empty while the pod is not ready.
	// +optional
	ReadySince *metav1.Time `json:"readySince,omitempty"`
}

// Build is what was built under an image's name: what runs is held against it.
type Build struct {
	// ImageDigests that nodes may report for the image: its configuration's, where it was loaded from an archive, and its
	// manifest's, where it was pulled. Empty: nobody said.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:items:MaxLength=80
	ImageDigests []string `json:"imageDigests,omitempty"`
	// PluginSHA256 of the jar in the image from which the servers come, in hexadecimal. Empty: nobody said.
	// +optional
	// +kubebuilder:validation:MaxLength=80
	PluginSHA256 string `json:"pluginSHA256,omitempty"`
}

// LoadImage is what drove the load.
type LoadImage struct {
	// Reference that the pods were started with.
	Reference string `json:"reference"`
	// Digests that the kubelets ran under it, each once. More than one: not all pods ran the same.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	Digests []string `json:"digests,omitempty"`
	// Built is what was built of it.
	// +optional
	Built *Build `json:"built,omitempty"`
}

// FailureReason says why an attempt gave no result.
// +kubebuilder:validation:Enum=LoadPodLost;LoadToolFailed;LoadTimedOut;StoreRestarted
type FailureReason string

const (
	// FailureLoadPodLost: a load pod or its Job went away before it had written its log.
	FailureLoadPodLost FailureReason = "LoadPodLost"
	// FailureLoadToolFailed: the load tool ended with an error.
	FailureLoadToolFailed FailureReason = "LoadToolFailed"
	// FailureLoadTimedOut: the phase took longer than the load's timeout.
	FailureLoadTimedOut FailureReason = "LoadTimedOut"
	// FailureStoreRestarted: a store pod restarted, went away or was not ready during the phase.
	FailureStoreRestarted FailureReason = "StoreRestarted"
)

// AttemptFailure is an attempt that gave no result.
type AttemptFailure struct {
	Attempt int32         `json:"attempt"`
	Reason  FailureReason `json:"reason"`
	// Message names what failed, with the tool's last lines.
	// +optional
	Message string      `json:"message,omitempty"`
	At      metav1.Time `json:"at"`
}

// PartPhase is how far one load pod is.
// +kubebuilder:validation:Enum=Ready;Running;Done;Failed
type PartPhase string

const (
	// PartReady waits for the start.
	PartReady PartPhase = "Ready"
	// PartRunning drives load.
	PartRunning PartPhase = "Running"
	// PartDone has written its log.
	PartDone PartPhase = "Done"
	// PartFailed has ended with an error.
	PartFailed PartPhase = "Failed"
)

// Part is what one load pod did.
type Part struct {
	// Index of the pod in its Job, from 0.
	Index int32 `json:"index"`
	// Attempt the part belongs to.
	Attempt int32     `json:"attempt"`
	State   PartPhase `json:"state"`
	Pod     string    `json:"pod"`
	// +optional
	Node string `json:"node,omitempty"`
	// Operations answered so far, errors included not.
	// +optional
	Operations int64 `json:"operations"`
	// Errors: operations given up by the load tool.
	// +optional
	Errors int64 `json:"errors"`
	// ErrorsByKind are why, as many as Errors; all unknown where the load tool does not tell.
	// +optional
	// +listType=map
	// +listMapKey=kind
	// +kubebuilder:validation:MaxItems=16
	ErrorsByKind []ErrorCount `json:"errorsByKind,omitempty"`
	// OpRate and P95Millis of the latest interval, for progress.
	// +optional
	OpRate Decimal `json:"opRate,omitempty"`
	// +optional
	P95Millis Decimal `json:"p95Millis,omitempty"`
	// FirstIntervalAt is the start of the log's first interval, LastIntervalAt the end of the last.
	// +optional
	FirstIntervalAt *metav1.MicroTime `json:"firstIntervalAt,omitempty"`
	// +optional
	LastIntervalAt *metav1.MicroTime `json:"lastIntervalAt,omitempty"`
	// ClockOffsetMicros is how far the pod's clock was ahead of the API server's, by estimate, and ClockErrorMicros how far that may be from
	// the truth. Nothing with one load pod, and where it is not known.
	// +optional
	ClockOffsetMicros *int64 `json:"clockOffsetMicros,omitempty"`
	// +optional
	ClockErrorMicros *int64 `json:"clockErrorMicros,omitempty"`
	// Scraped says that somebody had asked for the pod's metrics before it delivered, as Prometheus does.
	// +optional
	Scraped bool `json:"scraped,omitempty"`
	// Connected says that the load tool had its connections before the pod was ready; nothing where the tool cannot wait for its start.
	// +optional
	Connected bool `json:"connected,omitempty"`
	// CPUUsedPermille of what the container could get while it drove load, from its cgroup. Nothing where it is not known.
	// +optional
	CPUUsedPermille *int64 `json:"cpuUsedPermille,omitempty"`
	// CPUWaitedPermille of the time in which the load tool's threads wanted a core, they waited for one, by the scheduler's count.
	// Nothing where it is not known.
	// +optional
	CPUWaitedPermille *int64 `json:"cpuWaitedPermille,omitempty"`
	// ThrottledMillis by the CPU limit while it drove load.
	// +optional
	ThrottledMillis int64 `json:"throttledMillis,omitempty"`
	// Logs are the ConfigMaps that hold the gzipped HdrHistogram log, in order; concatenated they are one gzip stream.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=12
	// +kubebuilder:validation:items:MaxLength=253
	Logs []string `json:"logs,omitempty"`
	// Message: the last lines of a tool that failed.
	// +optional
	Message string `json:"message,omitempty"`
	// Keys are further counts the tool reports, such as keys for tools whose operations touch several.
	// +optional
	Keys int64 `json:"keys,omitempty"`
	// Unanswered operations, which did not fail either: those of the Outcomes that are no answer, such as a lost datagram.
	// +optional
	Unanswered int64 `json:"unanswered,omitempty"`
	// NotBegun operations were due at a constant rate, and the load gave them up before they began.
	// +optional
	// +kubebuilder:validation:Minimum=0
	NotBegun int64 `json:"notBegun,omitempty"`
	// Outcomes of the operations that did not fail, where the load tells them apart.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Outcomes []Outcome `json:"outcomes,omitempty"`
	// Capacity that the load's search found, with all its steps.
	// +optional
	Capacity *Capacity `json:"capacity,omitempty"`
	// Recovery of a store that was killed meanwhile.
	// +optional
	Recovery *Recovery `json:"recovery,omitempty"`
	// Profile that was taken meanwhile, by the pod with index 0.
	// +optional
	Profile *Profile `json:"profile,omitempty"`
	// StoreReadings are what the store counted by the pod's start and end; nothing where it does not tell.
	// +optional
	StoreReadings *StoreReadings `json:"storeReadings,omitempty"`
	// StoreEvents are what its nodes did for one another under faults, as the pod with index 0 was told; nothing where they do not tell.
	// +optional
	StoreEvents *StoreEvents `json:"storeEvents,omitempty"`
}

// Outcome is how many operations ended in one way: hit, miss, busy, lost.
type Outcome struct {
	// +kubebuilder:validation:Pattern=`^[a-z][a-z0-9-]{0,31}$`
	Name string `json:"name"`
	// +kubebuilder:validation:Minimum=0
	Count int64 `json:"count"`
}

// Result is the measurement's figures: computed once, from merged histograms.
type Result struct {
	// Operations answered, and Errors.
	Operations int64 `json:"operations"`
	Errors     int64 `json:"errors"`
	// ErrorsByKind are why operations failed, over all load pods: as many as Errors.
	// +optional
	// +listType=map
	// +listMapKey=kind
	// +kubebuilder:validation:MaxItems=16
	ErrorsByKind []ErrorCount `json:"errorsByKind,omitempty"`
	// Unanswered operations, which did not fail either: those of the Outcomes that are no answer. Their time is in no distribution.
	// +optional
	Unanswered int64 `json:"unanswered,omitempty"`
	// NotBegun operations were due at a constant rate, and the load gave them up before they began. Where there are any no latency is
	// reported: theirs would have been the longest.
	// +optional
	// +kubebuilder:validation:Minimum=0
	NotBegun int64 `json:"notBegun,omitempty"`
	// Outcomes of the operations that did not fail, by name, where the load tells them apart.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Outcomes []Outcome `json:"outcomes,omitempty"`
	// Capacity that a search found, with all its steps. The other figures are then of the step nearest to it.
	// +optional
	Capacity *Capacity `json:"capacity,omitempty"`
	// Recovery of a store that was killed meanwhile. The other figures are then of a load that waited for it.
	// +optional
	Recovery *Recovery `json:"recovery,omitempty"`
	// Faults that befell nodes of the store meanwhile, and what they cost. The other figures are of the whole phase.
	// +optional
	// +listType=map
	// +listMapKey=index
	// +kubebuilder:validation:MaxItems=8
	Faults []FaultEffect `json:"faults,omitempty"`
	// Profile of the store that was taken meanwhile. The other figures are then of a store that was looked into.
	// +optional
	Profile *Profile `json:"profile,omitempty"`
	// OpRate is operations per second from the first interval's start to the last interval's end; in an interleaved phase over the sum
	// of the server's windows.
	OpRate  Decimal `json:"opRate"`
	KeyRate Decimal `json:"keyRate"`
	// OpRateMid80 leaves out the first and the last tenth of the intervals, as cassandra-stress's own tables did.
	OpRateMid80  Decimal `json:"opRateMid80"`
	KeyRateMid80 Decimal `json:"keyRateMid80"`
	// OperationSeconds from the first interval's start to the last interval's end, or the sum of the server's windows, or Common.
	OperationSeconds Decimal          `json:"operationSeconds"`
	StartedAt        metav1.MicroTime `json:"startedAt"`
	FinishedAt       metav1.MicroTime `json:"finishedAt"`
	// Common is the time in which all load pods drove load, where there are several: op rates and latencies are of it.
	// +optional
	Common *CommonWindow `json:"common,omitempty"`
	// StartSkewMillis between the first and the last load pod's first interval, by the API server's clock where that is known.
	// +optional
	StartSkewMillis int64 `json:"startSkewMillis,omitempty"`
	// LatencyKind of the row: response at a constant rate, else service.
	LatencyKind LatencyKind `json:"latencyKind"`
	// Latencies per kind.
	// +listType=map
	// +listMapKey=kind
	Latencies []Latency `json:"latencies"`
	// ByOperation are the figures of each kind of operation, where the load mixes several: its log's tags name them.
	// +optional
	// +listType=map
	// +listMapKey=operation
	// +kubebuilder:validation:MaxItems=16
	ByOperation []OperationFigures `json:"byOperation,omitempty"`
	// Intervals of the merged log.
	// +optional
	Intervals *Intervals `json:"intervals,omitempty"`
	// StoreCPU is what the store's processes used in the server's windows of an interleaved phase, by their own count; nothing where the
	// store does not tell.
	// +optional
	StoreCPU *StoreCPU `json:"storeCPU,omitempty"`
	// StoreIO is what an ordinary load or a search made the store write and read; nothing where the store does not tell.
	// +optional
	StoreIO *StoreIO `json:"storeIO,omitempty"`
	// StoreEvents are what the store's nodes did for one another under faults; nothing where they do not tell.
	// +optional
	StoreEvents *StoreEvents `json:"storeEvents,omitempty"`
}

// StoreCPU is CPU time of all pods of the store, over exactly a server's windows.
type StoreCPU struct {
	// Windows that the figures are of. UnknownWindows are left out: an answer of a pod was lost.
	Windows int64 `json:"windows"`
	// +optional
	UnknownWindows int64 `json:"unknownWindows,omitempty"`
	// Operations answered in those windows.
	Operations int64 `json:"operations"`
	// PerOpMicros is the CPU time of an operation, in microseconds; nothing where no window is known.
	// +optional
	PerOpMicros Decimal `json:"perOpMicros,omitempty"`
	// IdleCores is what the processes used at rest, in cores: CPU time per time. Only where nothing was asked of the store.
	// +optional
	IdleCores Decimal `json:"idleCores,omitempty"`
	// Groups of the processes' threads, as the store tells them apart, and the rest.
	// +optional
	// +listType=map
	// +listMapKey=name
	Groups []CPUGroup `json:"groups,omitempty"`
	// Counters are the sums of all that the store counts, by its own names.
	// +optional
	Counters map[string]int64 `json:"counters,omitempty"`
}

// CPUGroup is the part of some threads in the CPU time of an operation.
type CPUGroup struct {
	Name        string  `json:"name"`
	PerOpMicros Decimal `json:"perOpMicros"`
}

// OperationFigures are those of one kind of operation in a mixed load.
type OperationFigures struct {
	// Operation as the log's tags name it.
	Operation string `json:"operation"`
	// Operations in the log, in the time that rates and latencies are of.
	Operations int64   `json:"operations"`
	OpRate     Decimal `json:"opRate"`
	// Latency of the row's kind.
	Latency Latency `json:"latency"`
}

// CommonWindow is when all load pods drove load, cut to whole intervals.
type CommonWindow struct {
	StartedAt  metav1.MicroTime `json:"startedAt"`
	FinishedAt metav1.MicroTime `json:"finishedAt"`
	// Operations in it, of all.
	Operations int64 `json:"operations"`
}

// Latency is a merged distribution and what is read from it, in milliseconds.
type Latency struct {
	Kind            LatencyKind `json:"kind"`
	MedianMillis    Decimal     `json:"medianMillis"`
	P95Millis       Decimal     `json:"p95Millis"`
	P99Millis       Decimal     `json:"p99Millis"`
	P999Millis      Decimal     `json:"p999Millis"`
	MaxMillis       Decimal     `json:"maxMillis"`
	MedianMid80     Decimal     `json:"medianMid80Millis"`
	P95Mid80Millis  Decimal     `json:"p95Mid80Millis"`
	P999Mid80Millis Decimal     `json:"p999Mid80Millis"`
	// MeanMillis and StdDevMillis, from the histogram's buckets.
	// +optional
	MeanMillis Decimal `json:"meanMillis,omitempty"`
	// +optional
	StdDevMillis Decimal `json:"stdDevMillis,omitempty"`
	// Further percentiles. One that fewer than ten values lie beyond is withheld: it would be the luck of those few.
	// +optional
	P75Millis Decimal `json:"p75Millis,omitempty"`
	// +optional
	P90Millis Decimal `json:"p90Millis,omitempty"`
	// P9999Millis is the 99.99th, P99999Millis the 99.999th.
	// +optional
	P9999Millis Decimal `json:"p9999Millis,omitempty"`
	// +optional
	P99999Millis Decimal `json:"p99999Millis,omitempty"`
	// Histogram in HdrHistogram's V2 compressed encoding, base64; values in nanoseconds.
	Histogram string `json:"histogram"`
}

// Intervals are the operation counts of equally long pieces of the phase.
type Intervals struct {
	LengthMillis int64 `json:"lengthMillis"`
	// +listType=atomic
	Operations []int64 `json:"operations"`
	// WindowMicros are the pieces' own lengths, where they are the server's windows in a load that goes round among several.
	// +optional
	// +listType=atomic
	WindowMicros []int64 `json:"windowMicros,omitempty"`
	// StoreCounters are what the store counted in each piece, by its own names: those that an operation's costs are made of, and of them
	// those that are known of every piece.
	// +optional
	StoreCounters map[string][]int64 `json:"storeCounters,omitempty"`
}

// Proof is what a store's proof line says, and where it was found: which server runs on which address, by its own word.
type Proof struct {
	// Server is the server type.
	Server string `json:"server"`
	// Class that was instantiated.
	Class string `json:"class"`
	// +optional
	Address string `json:"address,omitempty"`
	// +optional
	Port int32 `json:"port,omitempty"`
	// PluginSHA256 of the jar the class came from.
	// +optional
	PluginSHA256 string `json:"pluginSHA256,omitempty"`
	// ImageDigest that the kubelet ran; filled in by the operator.
	// +optional
	ImageDigest string `json:"imageDigest,omitempty"`
	// Pod and Node; filled in by the operator.
	// +optional
	Pod string `json:"pod,omitempty"`
	// +optional
	Node string `json:"node,omitempty"`
	// Environment as the store tells it: jvm, jvm_flags, heap_max_bytes, ...
	// +optional
	Environment map[string]string `json:"environment,omitempty"`
	// Settings with which the store runs, as it loaded them: those that differ from its defaults, and those that the experiment asks for.
	// +optional
	Settings map[string]string `json:"settings,omitempty"`
	// SettingsSHA256 of all settings with which it runs, defaults among them; empty where the store does not report them.
	// +optional
	SettingsSHA256 string `json:"settingsSHA256,omitempty"`
	// Proves are the values of the chart that the settings prove; filled in by the operator.
	// +optional
	// +listType=atomic
	Proves []string `json:"proves,omitempty"`
}

// Environment is where and on what the measurement was taken.
type Environment struct {
	// +listType=map
	// +listMapKey=name
	StoreNodes []NodeInfo `json:"storeNodes"`
	// +listType=map
	// +listMapKey=name
	LoadNodes []NodeInfo `json:"loadNodes"`
	// Store as it tells itself: JVM, flags, heap.
	// +optional
	Store map[string]string `json:"store,omitempty"`
}

// NodeInfo describes a Kubernetes node.
type NodeInfo struct {
	Name             string `json:"name"`
	Kernel           string `json:"kernel"`
	OSImage          string `json:"osImage"`
	Architecture     string `json:"architecture"`
	CPUs             string `json:"cpus"`
	Memory           string `json:"memory"`
	KubeletVersion   string `json:"kubeletVersion"`
	ContainerRuntime string `json:"containerRuntime"`
	// Disk is ssd, hdd, or unknown.
	Disk string `json:"disk"`
	// InstanceType, where the cloud names one.
	// +optional
	InstanceType string `json:"instanceType,omitempty"`
}

// Measurement is what one phase on one server in one round gave.
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
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

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
