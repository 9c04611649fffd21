package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ExperimentSpec is store × servers × phases × rounds. It never changes, apart from suspend and ttlAfterFinished: a run is one Experiment object.
// The API server holds it by the first two rules below; values of charts, whose fields it does not know, it compares whole. The operator
// ends a run whose spec is not the one it began with all the same: the CRD may be an older one.
//
// +kubebuilder:validation:XValidation:rule="self.servers == oldSelf.servers && self.phases == oldSelf.phases && self.load == oldSelf.load && self.rounds == oldSelf.rounds && self.maxAttempts == oldSelf.maxAttempts && self.store == oldSelf.store",message="a run's spec is fixed (only suspend and ttlAfterFinished may change); start a new run instead"
// +kubebuilder:validation:XValidation:rule="has(self.description) == has(oldSelf.description) && (!has(self.description) || self.description == oldSelf.description) && has(self.baseline) == has(oldSelf.baseline) && (!has(self.baseline) || self.baseline == oldSelf.baseline) && has(self.operations) == has(oldSelf.operations) && (!has(self.operations) || self.operations == oldSelf.operations) && has(self.keys) == has(oldSelf.keys) && (!has(self.keys) || self.keys == oldSelf.keys) && has(self.warmupRounds) == has(oldSelf.warmupRounds) && (!has(self.warmupRounds) || self.warmupRounds == oldSelf.warmupRounds) && has(self.installations) == has(oldSelf.installations) && (!has(self.installations) || self.installations == oldSelf.installations) && has(self.precision) == has(oldSelf.precision) && (!has(self.precision) || self.precision == oldSelf.precision) && has(self.budget) == has(oldSelf.budget) && (!has(self.budget) || self.budget == oldSelf.budget) && has(self.equivalent) == has(oldSelf.equivalent) && (!has(self.equivalent) || self.equivalent == oldSelf.equivalent) && has(self.seed) == has(oldSelf.seed) && (!has(self.seed) || self.seed == oldSelf.seed) && has(self.gates) == has(oldSelf.gates) && (!has(self.gates) || self.gates == oldSelf.gates)",message="a run's spec is fixed (only suspend and ttlAfterFinished may change); start a new run instead"
// +kubebuilder:validation:XValidation:rule="self.phases.all(p, has(p.operations) || has(p.duration) || has(self.operations))",message="every phase needs operations or a duration, or the experiment needs operations"
// +kubebuilder:validation:XValidation:rule="(has(self.installations) ? self.installations : 1) * self.rounds * self.servers.size() * self.phases.map(p, p.repeats * (has(p.sweepThreads) && p.sweepThreads.size() > 0 ? p.sweepThreads.size() : 1) * (has(p.sweepConnections) && p.sweepConnections.size() > 0 ? p.sweepConnections.size() : 1) * (has(p.sweepRates) && p.sweepRates.size() > 0 ? p.sweepRates.size() : 1)).sum() <= 4000",message="installations × rounds × servers × phases × repeats × what is swept make more than 4000 measurements; ask for fewer, or split the experiment"
// +kubebuilder:validation:XValidation:rule="self.load.pods * (has(self.installations) ? self.installations : 1) * self.rounds * self.servers.size() * self.phases.map(p, p.repeats * (has(p.sweepThreads) && p.sweepThreads.size() > 0 ? p.sweepThreads.size() : 1) * (has(p.sweepConnections) && p.sweepConnections.size() > 0 ? p.sweepConnections.size() : 1) * (has(p.sweepRates) && p.sweepRates.size() > 0 ? p.sweepRates.size() : 1)).sum() <= 128000",message="measurements × load pods make more than 128000 logs, more than a cluster's etcd holds; ask for fewer measurements or load pods, or split the experiment"
// +kubebuilder:validation:XValidation:rule="!has(self.baseline) || self.servers.exists(s, s.name == self.baseline)",message="baseline must be one of the servers"
// +kubebuilder:validation:XValidation:rule="!has(self.warmupRounds) || self.warmupRounds < self.rounds",message="warmupRounds must be less than rounds, or nothing is left to compare"
type ExperimentSpec struct {
	// Description says what the experiment asks, in a sentence.
	// +optional
	// +kubebuilder:validation:MaxLength=1000
	Description string `json:"description,omitempty"`

	// Store is the system under test.
	Store StoreSpec `json:"store"`

	// Servers are the variants that are compared. Two entries of one type make an A/A arm.
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Servers []ServerSpec `json:"servers"`

	// Baseline is the server that ratios are taken against; the first server when empty.
	// +optional
	// +kubebuilder:validation:MaxLength=31
	Baseline string `json:"baseline,omitempty"`

	// Load is what drives the store.
	Load LoadSpec `json:"load"`

	// Phases run in this order on each server.
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Phases []PhaseSpec `json:"phases"`

	// Operations per phase, over all load pods, where the phase does not say.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000000
	Operations *int64 `json:"operations,omitempty"`

	// Keys is the size of the population; Operations when empty.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000000
	Keys *int64 `json:"keys,omitempty"`

	// Rounds is how many times all servers are measured on an installation, in a new random order each time; with a precision, how many
	// times at most.
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	Rounds int32 `json:"rounds"`

	// WarmupRounds at the start of an installation are measured and shown but never compared.
	// +optional
	// +kubebuilder:validation:Minimum=0
	WarmupRounds int32 `json:"warmupRounds,omitempty"`

	// Installations of a shared store, one after the other, each with all its rounds and its prepare phases; 1 when empty. What is said of
	// a server over several is not the luck of one. (With dedicated hosting every round is an installation.)
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=20
	Installations int32 `json:"installations,omitempty"`

	// Precision at which the run ends before its last round: the half-width that the intervals of all primary metrics are to have, as in
	// 3% or 0.03. It takes a budget beside it.
	// +optional
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^[0-9]+(\.[0-9]+)?%?$`
	Precision string `json:"precision,omitempty"`

	// Budget is the time that the measurements of the rounds may take: the run ends after the round in which it is used, however precise it is
	// then. What lies between measurements is not counted: a stop, a restart of a node, the installation of a store.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('168h')",message="give a time of more than 0s, and of 168h at most, as in 90s or 1h30m"
	Budget *metav1.Duration `json:"budget,omitempty"`

	// Equivalent is the share within which servers are as good as equal, as in 3% or 0.03; 3% when empty, and 0% asks for no equivalence.
	// +optional
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^[0-9]+(\.[0-9]+)?%?$`
	Equivalent string `json:"equivalent,omitempty"`

	// Seed of the random order. Chosen and put into the status when empty.
	// +optional
	Seed *int64 `json:"seed,omitempty"`

	// MaxAttempts is how often a phase is begun anew after a load pod or a store node was lost.
	// +kubebuilder:default=3
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10
	MaxAttempts int32 `json:"maxAttempts"`

	// Gates say which circumstances make a measurement invalid.
	// +optional
	Gates Gates `json:"gates,omitempty"`

	// Suspend stops before the next phase; a running one ends.
	// +optional
	Suspend bool `json:"suspend,omitempty"`

	// TTLAfterFinished is how long a finished run stays in the cluster once its results were exported (annotation
	// ringside.dev/exported-end, which the ringside command sets; status.exportedAt). What was not exported is never removed. Empty: it stays until someone
	// deletes it.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('8760h')",message="give a time of 0s or more, and of 8760h at most, as in 90s or 1h30m"
	TTLAfterFinished *metav1.Duration `json:"ttlAfterFinished,omitempty"`
}

// Hosting says how servers share stores.
// +kubebuilder:validation:Enum=Dedicated;Shared
type Hosting string

const (
	// HostingDedicated installs a fresh store, with fresh data, for every server in every round.
	HostingDedicated Hosting = "Dedicated"
	// HostingShared installs one store that hosts all servers at once, each on its own port over the same data.
	HostingShared Hosting = "Shared"
)

// StoreSpec is the store under test.
type StoreSpec struct {
	// Chart is the name of a chart that the operator carries (charts/ of the repository).
	// +kubebuilder:validation:Pattern=`^[a-z]([a-z0-9-]{0,29}[a-z0-9])?$`
	Chart string `json:"chart"`

	// Hosting is Dedicated (a fresh store per server) or Shared (one store hosts every server).
	// +kubebuilder:default=Dedicated
	Hosting Hosting `json:"hosting"`

	// Values of the chart. The operator adds server.types, image and monitoring values.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Values *apiextensionsv1.JSON `json:"values,omitempty"`

	// ReadyTimeout is how long the store may take until it answers. Half of it is how long a pod, of store or load, may
	// wait for a node: time enough for a cluster autoscaler to add one.
	// +kubebuilder:default="10m"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s') && duration(self) <= duration('24h')",message="give a time of 1s or more, and of 24h at most, as in 90s or 1h30m"
	ReadyTimeout metav1.Duration `json:"readyTimeout"`
}

// ServerSpec is one variant under its own name.
type ServerSpec struct {
	// Name of this arm in tables and charts.
	// +kubebuilder:validation:Pattern=`^[a-z]([a-z0-9-]{0,29}[a-z0-9])?$`
	Name string `json:"name"`

	// Type is the store's server.type; the name when empty.
	// +optional
	// +kubebuilder:validation:Pattern=`^[a-z]([a-z0-9-]{0,29}[a-z0-9])?$`
	Type string `json:"type,omitempty"`

	// OwnInstance gives the arm a server of its own, with its own port, threads and options, beside another arm's of the same type. Shared
	// hosting only, where arms of one type otherwise are one server under several names.
	// +optional
	OwnInstance bool `json:"ownInstance,omitempty"`

	// Options of this server alone, as the store's chart knows them. Shared hosting only; an arm that has any has an instance of its own,
	// and is no second name of another.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	Options map[string]string `json:"options,omitempty"`

	// Values are laid over the store's, for this server alone. Dedicated hosting only.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Values *apiextensionsv1.JSON `json:"values,omitempty"`
}

// LoadSpec is the load image and its pods. The contract of a load image is in images/README.md.
type LoadSpec struct {
	// Image is a Ringside image by its short name (stress, cassandra-load, ycsb), or a full reference.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Image string `json:"image"`

	// Pods that drive the load together, from one announced instant on.
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=64
	Pods int32 `json:"pods"`

	// Parameters are handed to the image as RINGSIDE_PARAM_<NAME>.
	// +optional
	Parameters Parameters `json:"parameters,omitempty"`

	// Resources of a load container.
	// +optional
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`

	// NodeSelector keeps load pods off the store's nodes.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`

	// Tolerations of load pods.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`

	// PodAnnotations of load pods, as those by which a service mesh leaves a pod alone. Those of Kubernetes' Jobs cannot be set.
	// +optional
	PodAnnotations PodAnnotations `json:"podAnnotations,omitempty"`

	// PodLabels of load pods, for policies and bills. Those that Ringside and Kubernetes' Jobs put there cannot be set.
	// +optional
	PodLabels PodLabels `json:"podLabels,omitempty"`

	// PriorityClassName of load pods. Such a class may have Kubernetes end other pods for them.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$`
	PriorityClassName string `json:"priorityClassName,omitempty"`

	// Timeout of one phase, in whole seconds, after which it counts as failed.
	// +kubebuilder:default="2h"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s') && duration(self) <= duration('168h')",message="give a time of 1s or more, and of 168h at most, as in 90s or 1h30m"
	Timeout metav1.Duration `json:"timeout"`
}

// PodAnnotations of load pods.
//
// +kubebuilder:validation:MaxProperties=32
// +kubebuilder:validation:XValidation:rule="self.all(name, name.size() <= 317 && name.matches('^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$'))",message="an annotation's name is as Kubernetes has it: sidecar.istio.io/inject"
// +kubebuilder:validation:XValidation:rule="self.all(name, !name.matches('^([a-z0-9-]+[.])*ringside[.]dev/|^batch[.]kubernetes[.]io/'))",message="annotations of ringside.dev/ and batch.kubernetes.io/ are put there by Ringside and by Kubernetes: take them out"
type PodAnnotations map[string]AnnotationValue

// AnnotationValue of a pod.
//
// +kubebuilder:validation:MaxLength=4096
type AnnotationValue string

// PodLabels of load pods.
//
// +kubebuilder:validation:MaxProperties=32
// +kubebuilder:validation:XValidation:rule="self.all(name, name.size() <= 317 && name.matches('^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$'))",message="a label's name is as Kubernetes has it: example.com/team"
// +kubebuilder:validation:XValidation:rule="self.all(name, !name.matches('^([a-z0-9-]+[.])*ringside[.]dev/|^batch[.]kubernetes[.]io/|^app[.]kubernetes[.]io/|^job-name$|^controller-uid$'))",message="labels of ringside.dev/, app.kubernetes.io/ and batch.kubernetes.io/, job-name and controller-uid are put there by Ringside and by Kubernetes: take them out"
type PodLabels map[string]LabelValue

// LabelValue of a pod: letters, digits, '.', '_' and '-'.
//
// +kubebuilder:validation:MaxLength=63
// +kubebuilder:validation:Pattern=`^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$`
type LabelValue string

// Parameters of a load image. A name becomes part of a variable's.
//
// +kubebuilder:validation:MaxProperties=64
// +kubebuilder:validation:XValidation:rule="self.all(name, name.matches('^[a-zA-Z][a-zA-Z0-9._-]{0,62}$'))",message="a parameter's name begins with a letter and has letters, digits, '.', '_' and '-', 63 at most"
// +kubebuilder:validation:XValidation:rule="self.all(name, self[name].size() <= 4096)",message="a parameter's value has 4096 characters at most"
type Parameters map[string]string

// PhaseSpec is one piece of load, or of rest.
//
// +kubebuilder:validation:XValidation:rule="!has(self.idle) || !self.idle || has(self.duration) && !has(self.interleave)",message="an idle phase has a duration, and no interleaved windows"
// +kubebuilder:validation:XValidation:rule="!(has(self.operations) && has(self.duration))",message="a phase has operations or a duration, not both"
// +kubebuilder:validation:XValidation:rule="!(has(self.targetOpsPerSecond) && self.targetOpsPerSecond > 0 && has(self.sweepRates) && self.sweepRates.size() > 0)",message="a phase has targetOpsPerSecond or sweepRates, not both"
// +kubebuilder:validation:XValidation:rule="!(has(self.connections) && self.connections > 0 && has(self.sweepConnections) && self.sweepConnections.size() > 0)",message="a phase has connections or sweepConnections, not both"
// +kubebuilder:validation:XValidation:rule="!has(self.recovery) || has(self.duration)",message="a phase in which the store is killed has a duration"
// +kubebuilder:validation:XValidation:rule="!has(self.faults) || self.faults.size() == 0 || has(self.duration)",message="a phase in which nodes of the store are lost has a duration"
// +kubebuilder:validation:XValidation:rule="!has(self.capacity) || has(self.duration)",message="a search for a capacity takes a duration, which is that of all its steps"
// +kubebuilder:validation:XValidation:rule="!has(self.capacity) || !(has(self.targetOpsPerSecond) && self.targetOpsPerSecond > 0) && !(has(self.sweepRates) && self.sweepRates.size() > 0)",message="a search for a capacity chooses its own rates: take targetOpsPerSecond and sweepRates out"
type PhaseSpec struct {
	// Name of the phase.
	// +kubebuilder:validation:Pattern=`^[a-z]([a-z0-9-]{0,19}[a-z0-9])?$`
	Name string `json:"name"`

	// Operation that the load image performs: write, read, ... ; the name when empty. It becomes a label.
	// +optional
	// +kubebuilder:validation:Pattern=`^([a-zA-Z0-9]([a-zA-Z0-9._-]{0,61}[a-zA-Z0-9])?)?$`
	Operation string `json:"operation,omitempty"`

	// Image of this phase's load, where it is not the experiment's: two loads on the same data are then measured side by side.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	Image string `json:"image,omitempty"`

	// Repeats is how often the phase runs in a row; each is a measurement.
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	Repeats int32 `json:"repeats"`

	// Prepare marks a phase that fills the store, or makes it warm, once after each installation: by one server or, where it is interleaved,
	// by all. It is recorded, never compared.
	// +optional
	Prepare bool `json:"prepare,omitempty"`

	// Idle asks nothing of the store for the phase's duration, and records what its processes use at rest. The store's pods tell it by
	// their counters port.
	// +optional
	Idle bool `json:"idle,omitempty"`

	// Operations over all load pods; the experiment's when empty.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000000
	Operations *int64 `json:"operations,omitempty"`

	// Duration bounds the phase in time instead of operations, in whole seconds.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('168h')",message="give a time of more than 0s, and of 168h at most, as in 90s or 1h30m"
	Duration *metav1.Duration `json:"duration,omitempty"`

	// Threads of the load, over all pods.
	// +kubebuilder:default=50
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10000
	Threads int32 `json:"threads"`

	// SweepThreads runs the phase once for each of these thread counts in place of Threads.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=10000
	SweepThreads []int32 `json:"sweepThreads,omitempty"`

	// Connections of the load to a server, over all pods; as many as threads when empty. Of more, each thread has several and uses them in
	// turn. Not every load can do that.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100000
	Connections int32 `json:"connections,omitempty"`

	// SweepConnections runs the phase once with each of these numbers of connections.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=100000
	SweepConnections []int32 `json:"sweepConnections,omitempty"`

	// TargetRate in operations per second over all pods; closed-loop when empty. A target gives response time beside service time.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000000
	TargetRate int64 `json:"targetOpsPerSecond,omitempty"`

	// SweepRates runs the phase once at each of these rates, in operations per second over all pods, in place of targetOpsPerSecond:
	// latency against offered load. Several sweeps of a phase are combined.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=100000000
	SweepRates []int64 `json:"sweepRates,omitempty"`

	// Consistency level, where the store has one.
	// +optional
	// +kubebuilder:validation:Pattern=`^[a-zA-Z0-9._-]{0,63}$`
	Consistency string `json:"consistency,omitempty"`

	// PrimaryMetric is the one metric by which this phase's verdicts are given, by its column's name: op_rate, latency_p99_ms, ... All
	// others describe. When empty: op_rate; in a search for it the capacity; at a constant rate, which is the input there, the CPU time per operation where it is
	// measured, else latency_p99_ms. cpu_server_us is that of the server's own threads alone: where a store tells it, it decides more
	// finely, and leaves out what the server makes other threads do.
	// +optional
	// +kubebuilder:validation:Pattern=`^[a-z0-9_]{0,63}$`
	PrimaryMetric string `json:"primaryMetric,omitempty"`

	// Parameters laid over the load's.
	// +optional
	Parameters Parameters `json:"parameters,omitempty"`

	// Capacity searches for the highest rate at which each server keeps an objective. Duration is then the time that the steps of the
	// search may take; in an interleaved phase, where the servers take their steps in turn, those of all servers.
	// +optional
	Capacity *CapacitySpec `json:"capacity,omitempty"`

	// Interleave measures all servers in one load, which has connections to each of them and is switched between them in
	// short windows in random order. Needs a shared store, one load pod and a duration, which is that of all servers' windows together.
	// +optional
	Interleave *Interleave `json:"interleave,omitempty"`

	// Recovery kills the store in the middle of the phase: how long until it takes operations again, and what became of those that it had
	// acknowledged. One load pod drives such a phase, on a store of one server's own. The store's pods take the order by their kill port.
	// +optional
	Recovery *RecoverySpec `json:"recovery,omitempty"`

	// Faults befall nodes of the store in the middle of the phase, each once and no node twice: what that costs those who ask it meanwhile. The
	// phase has a duration and a rate, and its load goes on with the nodes that are left.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	Faults []FaultSpec `json:"faults,omitempty"`

	// Profile takes profiles of the store under this phase's load, of each server and event, in short steps of their own after all that is
	// measured on an installation: they cost the figures nothing and are never compared. The store's pods give them by their profile port.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=4
	Profile []ProfileEvent `json:"profile,omitempty"`
}

// InterleaveMode says how many servers are under load at a time.
// +kubebuilder:validation:Enum=Windows;Duet
type InterleaveMode string

const (
	// InterleaveWindows loads one server at a time: what sizes a difference.
	InterleaveWindows InterleaveMode = "Windows"
	// InterleaveDuet loads the baseline and one other server at the same moment, with half of the threads each: what decides which is
	// ahead. It tells smaller differences, and makes them look smaller.
	InterleaveDuet InterleaveMode = "Duet"
)

// Interleave is how one load goes round among the servers.
type Interleave struct {
	// Window of one server (or pair of servers), from 100ms to 1m, in whole milliseconds.
	// +optional
	// +kubebuilder:default="1s"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('168h')",message="give a time of 0s or more, and of 168h at most, as in 90s or 1h30m"
	Window metav1.Duration `json:"window,omitempty"`

	// Warmup of windows of the same kind before those that count, in the same process, in whole seconds.
	// +optional
	// +kubebuilder:default="10s"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('168h')",message="give a time of 0s or more, and of 168h at most, as in 90s or 1h30m"
	Warmup metav1.Duration `json:"warmup,omitempty"`

	// Mode is Windows (one server at a time) or Duet (the baseline and another at the same moment).
	// +optional
	// +kubebuilder:default=Windows
	Mode InterleaveMode `json:"mode,omitempty"`

	// LeadIn is how long the same servers are asked right before each window, with nothing of it counted, in whole milliseconds; none when
	// empty. Who has rested since its last window is awake then: in a duet the baseline never rests. It is part of the duration.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('168h')",message="give a time of 0s or more, and of 168h at most, as in 90s or 1h30m"
	LeadIn metav1.Duration `json:"leadIn,omitempty"`

	// Reconnect opens all connections anew for each piece of a round, so that a piece draws what a round draws: where a server's threads
	// differ, and which of them a connection falls to counts, pieces else share it and say nothing that the round does not. It costs the time
	// of as many new connections, each with a request that counts nowhere, up to three times a round.
	// +optional
	Reconnect bool `json:"reconnect,omitempty"`
}

// GateMode says what a circumstance does to a measurement.
// +kubebuilder:validation:Enum=Enforce;Warn;Off
type GateMode string

const (
	// GateEnforce makes the measurement invalid.
	GateEnforce GateMode = "Enforce"
	// GateWarn keeps it valid and records a warning.
	GateWarn GateMode = "Warn"
	// GateOff does not look.
	GateOff GateMode = "Off"
)

// GateModes are all there are.
func GateModes() []GateMode { return []GateMode{GateEnforce, GateWarn, GateOff} }

// Gates are the circumstances that are looked at. A wrong variant, fewer store
// nodes than asked for, and lost operations always make a measurement invalid.
type Gates struct {
	// Errors: more than errorsMaxPermille of the operations failed.
	// +kubebuilder:default=Enforce
	// +optional
	Errors GateMode `json:"errors,omitempty"`
	// StoreRestart: a store pod restarted, or was not ready for a while, during the phase.
	// +kubebuilder:default=Enforce
	// +optional
	StoreRestart GateMode `json:"storeRestart,omitempty"`
	// LoadCPU: a load pod used more than loadCPUMaxPermille of the CPU it could get.
	// +kubebuilder:default=Enforce
	// +optional
	LoadCPU GateMode `json:"loadCPU,omitempty"`
	// LoadWait: a load pod's threads waited for a core for more than loadWaitMaxPermille of the time in which they wanted one. What
	// waits sees its own delay as the store's.
	// +kubebuilder:default=Enforce
	// +optional
	LoadWait GateMode `json:"loadWait,omitempty"`
	// TargetRate: less than targetRateMinPermille of the constant rate that was asked for was reached, because what was due took longer than
	// the time in which it was. Every operation that was due is in the latencies all the same.
	// +kubebuilder:default=Enforce
	// +optional
	TargetRate GateMode `json:"targetRate,omitempty"`
	// Throttling: a load pod was throttled by its CPU limit for more than throttlingMaxPermille of the phase, or a LimitRange gave the store
	// a CPU limit that nobody asked for.
	// +kubebuilder:default=Enforce
	// +optional
	Throttling GateMode `json:"throttling,omitempty"`
	// Colocation: a load pod ran on a store's node.
	// +kubebuilder:default=Enforce
	// +optional
	Colocation GateMode `json:"colocation,omitempty"`
	// OtherRuns: a run of another namespace had its store or its load on the store's or the load's nodes meanwhile.
	// +kubebuilder:default=Enforce
	// +optional
	OtherRuns GateMode `json:"otherRuns,omitempty"`
	// Disk: a store's node is not labelled as having an SSD.
	// +kubebuilder:default=Enforce
	// +optional
	Disk GateMode `json:"disk,omitempty"`
	// StartSkew: load pods began more than startSkewLimit apart.
	// +kubebuilder:default=Enforce
	// +optional
	StartSkew GateMode `json:"startSkew,omitempty"`

	// ErrorsMaxPermille of the operations may fail before the gate on errors speaks. 0 when empty: none may.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	ErrorsMaxPermille int64 `json:"errorsMaxPermille,omitempty"`
	// LoadCPUMaxPermille of the CPU that a load pod could get is what it may use: above it the load, not the store, may have set the
	// pace. 950 when empty.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	LoadCPUMaxPermille int64 `json:"loadCPUMaxPermille,omitempty"`
	// LoadWaitMaxPermille of the time in which a load pod's threads wanted a core is what they may wait for one. 100 when empty.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	LoadWaitMaxPermille int64 `json:"loadWaitMaxPermille,omitempty"`
	// TargetRateMinPermille of the rate asked for must be reached. 990 when empty.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	TargetRateMinPermille int64 `json:"targetRateMinPermille,omitempty"`
	// ThrottlingMaxPermille of the phase's time is what a load pod may be throttled by its CPU limit. 10 when empty.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	ThrottlingMaxPermille int64 `json:"throttlingMaxPermille,omitempty"`
	// StartSkewLimit is how far apart load pods may begin. 1s when empty.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('1m')",message="give a time of more than 0s, and of 1m at most, as in 90s or 1h30m"
	StartSkewLimit *metav1.Duration `json:"startSkewLimit,omitempty"`
}

// Condition types of an Experiment.
const (
	// ConditionAccepted is true once the spec was found runnable.
	ConditionAccepted = "Accepted"
	// ConditionStoreReady is true while a store is installed and answers.
	ConditionStoreReady = "StoreReady"
	// ConditionProgressing is true from acceptance until the end; its reason says what is being done.
	ConditionProgressing = "Progressing"
	// ConditionComplete is true when every measurement was taken, or enough of them: its reason says so.
	ConditionComplete = "Complete"
	// ConditionSucceeded sums the run up for whoever waits: there once the run has ended and its store is removed, true where the run is
	// Complete and false where it Failed, with the reason of that condition.
	ConditionSucceeded = "Succeeded"
	// ConditionFailed is true when the run ended early; its message says why and what helps.
	ConditionFailed = "Failed"
)

// Reasons of an Experiment's conditions that people and tools wait for. Progressing carries one of the first group;
// Failed carries the fault.
const (
	ReasonAccepted        = "Accepted"        // the spec has passed all checks; the run begins
	ReasonQueued          = "Queued"          // another run of the namespace is ahead
	ReasonSuspended       = "Suspended"       // spec.suspend holds the run before its next phase
	ReasonInstallingStore = "InstallingStore" // the chart of the store is being installed
	ReasonAwaitingStore   = "AwaitingStore"   // the store does not answer yet, or has not proved its servers
	ReasonMeasuring       = "Measuring"       // a phase is under way
	ReasonRemovingStore   = "RemovingStore"   // the store is being removed
	ReasonFinished        = "Finished"        // the run has come to its end
	ReasonFailed          = "Failed"          // the run has ended early; the condition Failed has the cause

	// ReasonPrecisionReached and ReasonBudgetUsed are why a run that has a precision is complete before its last round.
	ReasonPrecisionReached = "PrecisionReached"
	ReasonBudgetUsed       = "BudgetUsed"

	// ReasonRefused: the spec cannot be run; nothing was started.
	ReasonRefused = "Refused"
	// ReasonStoreFailed: the store could not be installed, or did not become ready.
	ReasonStoreFailed = "StoreFailed"
	// ReasonStoreLost: the store and its data went away in the middle of a run.
	ReasonStoreLost = "StoreLost"
	// ReasonVariantUnproved: the store's own log does not prove that it runs the servers that were asked for.
	ReasonVariantUnproved = "VariantUnproved"
	// ReasonAPIRefused: the API server refuses for good what the run needs.
	ReasonAPIRefused = "APIRefused"
	// ReasonLoadFailed: the load tool failed in every attempt, or could not be started.
	ReasonLoadFailed = "LoadFailed"
	// ReasonSpecChanged: the spec is not the one that the run began with.
	ReasonSpecChanged = "SpecChanged"
)

// ExperimentStatus is how far a run is.
type ExperimentStatus struct {
	// ObservedGeneration of the spec that the status speaks of.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Conditions: Accepted, StoreReady, Progressing, Complete, Failed.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// Seed of the random order, fixed when the run begins.
	// +optional
	Seed *int64 `json:"seed,omitempty"`
	// AcceptedSpec is the spec that the run began with, suspend aside. A later operator compares what is in it and nothing
	// more: a field that it defaults and that was not there then is no change.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	AcceptedSpec *apiextensionsv1.JSON `json:"acceptedSpec,omitempty"`
	// Planned number of measurements.
	// +optional
	Planned int32 `json:"planned,omitempty"`
	// Finished number of measurements.
	// +optional
	Finished int32 `json:"finished,omitempty"`
	// Invalid number of finished measurements.
	// +optional
	Invalid int32 `json:"invalid,omitempty"`
	// Precision that the finished rounds gave, where the spec asks for one; worked out after each round.
	// +optional
	Precision *PrecisionStatus `json:"precision,omitempty"`
	// Current is the measurement under way, or what is done beside measuring.
	// +optional
	Current string `json:"current,omitempty"`
	// Store that is installed at this moment.
	// +optional
	Store *StoreStatus `json:"store,omitempty"`
	// OnNodes are those that pods of its present store, or its last one, and of that one's loads are or were on: by them operators of other
	// namespaces know whom they share a node with.
	// +optional
	// +listType=set
	OnNodes []string `json:"onNodes,omitempty"`
	// Units in which people are told of the store's operations and latencies, as its chart has them.
	// +optional
	Units *Units `json:"units,omitempty"`
	// StartedAt is when the run got the machine: accepted, and no other run of the namespace before it.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`
	// FinishedAt is when it ended, its store removed. Nothing happens to the run after this.
	// +optional
	FinishedAt *metav1.Time `json:"finishedAt,omitempty"`
	// ExportedAt is when the operator saw that all of the finished run was exported. Only a run with spec.ttlAfterFinished has it.
	// +optional
	ExportedAt *metav1.Time `json:"exportedAt,omitempty"`
}

// LatencyUnit is a unit of time in which latencies are told.
// +kubebuilder:validation:Enum=ms;us
type LatencyUnit string

const (
	// LatencyMillis are milliseconds.
	LatencyMillis LatencyUnit = "ms"
	// LatencyMicros are microseconds.
	LatencyMicros LatencyUnit = "us"
)

// Units are what tables, reports and progress lines speak in; measurements and their files have milliseconds whatever they say.
type Units struct {
	// Operations of the store, in the plural: requests, packets, transactions. Empty: operations.
	// +optional
	// +kubebuilder:validation:Pattern=`^([a-z]([a-z -]{0,29}[a-z])?)?$`
	Operations string `json:"operations,omitempty"`
	// Latency is told in ms or us; ms when empty.
	// +optional
	Latency LatencyUnit `json:"latency,omitempty"`
}

// PrecisionStatus is how precise a run is after a round, and whether it ends there.
type PrecisionStatus struct {
	// Rounds that were finished, those to warm up among them.
	Rounds int32 `json:"rounds"`
	// WidestPercent is the half-width of the widest primary interval, At the server and the load that it is of. Empty while one is not known.
	// +optional
	WidestPercent Decimal `json:"widestPercent,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxLength=200
	At string `json:"at,omitempty"`
	// Used is the time that the rounds have taken.
	Used metav1.Duration `json:"used"`
	// Reason for which the run ends after these rounds: PrecisionReached or BudgetUsed. Empty while it goes on.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Reason string `json:"reason,omitempty"`
}

// StoreStatus is the installed store, as proved by its own log.
type StoreStatus struct {
	// Release is the Helm release's name.
	Release string `json:"release"`
	// Round for which it was installed (Dedicated), or 0 (Shared).
	Round int32 `json:"round"`
	// Servers (names of arms) it hosts.
	// +listType=set
	Servers []string `json:"servers"`
	// Built is what was built of the store's image, as the operator knew it when it installed the store; the variant is held
	// against it. Empty: nobody said.
	// +optional
	Built *Build `json:"built,omitempty"`
	// InstalledAt is when the installation began.
	InstalledAt metav1.Time `json:"installedAt"`
	// Nodes are the store's pods that were asked for; no measurement from fewer is valid.
	// +optional
	Nodes int32 `json:"nodes,omitempty"`
	// ReadyAt is when it answered.
	// +optional
	ReadyAt *metav1.Time `json:"readyAt,omitempty"`
	// Pods that gave the proofs, in the lives that gave them.
	// +optional
	// +listType=map
	// +listMapKey=name
	Pods []StorePod `json:"pods,omitempty"`
	// Proofs per server type, one per store pod.
	// +optional
	// +listType=atomic
	Proofs []Proof `json:"proofs,omitempty"`
}

// Experiment is one run of a comparison.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:shortName=exp,categories=ringside
// +kubebuilder:printcolumn:name="Store",type=string,JSONPath=`.spec.store.chart`
// +kubebuilder:printcolumn:name="Finished",type=integer,JSONPath=`.status.finished`
// +kubebuilder:printcolumn:name="Planned",type=integer,JSONPath=`.status.planned`
// +kubebuilder:printcolumn:name="Invalid",type=integer,JSONPath=`.status.invalid`
// +kubebuilder:printcolumn:name="State",type=string,JSONPath=`.status.conditions[?(@.type=="Progressing")].reason`
// +kubebuilder:printcolumn:name="Current",type=string,JSONPath=`.status.current`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type Experiment struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec ExperimentSpec `json:"spec"`
	// +optional
	Status ExperimentStatus `json:"status,omitempty"`
}

// ExperimentList is a list of runs.
//
// +kubebuilder:object:root=true
type ExperimentList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Experiment `json:"items"`
}
