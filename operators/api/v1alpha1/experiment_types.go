package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ExperimentSpec defines a run: store × servers × phases × rounds. It is immutable, apart from suspend and ttlAfterFinished: a run is one
// Experiment object. The API server enforces this by the first two rules below; it compares chart values as a whole. The operator also
// ends a run whose spec has changed since its start, because the CRD in the cluster may be an older one.
//
// +kubebuilder:validation:XValidation:rule="self.servers == oldSelf.servers && self.phases == oldSelf.phases && self.load == oldSelf.load && self.rounds == oldSelf.rounds && self.maxAttempts == oldSelf.maxAttempts && self.store == oldSelf.store",message="a run's spec is fixed (only suspend and ttlAfterFinished may change); start a new run instead"
// +kubebuilder:validation:XValidation:rule="has(self.description) == has(oldSelf.description) && (!has(self.description) || self.description == oldSelf.description) && has(self.baseline) == has(oldSelf.baseline) && (!has(self.baseline) || self.baseline == oldSelf.baseline) && has(self.operations) == has(oldSelf.operations) && (!has(self.operations) || self.operations == oldSelf.operations) && has(self.keys) == has(oldSelf.keys) && (!has(self.keys) || self.keys == oldSelf.keys) && has(self.warmupRounds) == has(oldSelf.warmupRounds) && (!has(self.warmupRounds) || self.warmupRounds == oldSelf.warmupRounds) && has(self.installations) == has(oldSelf.installations) && (!has(self.installations) || self.installations == oldSelf.installations) && has(self.precision) == has(oldSelf.precision) && (!has(self.precision) || self.precision == oldSelf.precision) && has(self.budget) == has(oldSelf.budget) && (!has(self.budget) || self.budget == oldSelf.budget) && has(self.equivalent) == has(oldSelf.equivalent) && (!has(self.equivalent) || self.equivalent == oldSelf.equivalent) && has(self.seed) == has(oldSelf.seed) && (!has(self.seed) || self.seed == oldSelf.seed) && has(self.gates) == has(oldSelf.gates) && (!has(self.gates) || self.gates == oldSelf.gates)",message="a run's spec is fixed (only suspend and ttlAfterFinished may change); start a new run instead"
// +kubebuilder:validation:XValidation:rule="self.phases.all(p, has(p.operations) || has(p.duration) || has(self.operations))",message="every phase needs operations or a duration, or the experiment needs operations"
// +kubebuilder:validation:XValidation:rule="!has(self.baseline) || self.servers.exists(s, s.name == self.baseline)",message="baseline must be one of the servers"
// +kubebuilder:validation:XValidation:rule="!has(self.warmupRounds) || self.warmupRounds < self.rounds",message="warmupRounds must be less than rounds, or no round is left to compare"
type ExperimentSpec struct {
	// Description states the question of the experiment in a sentence.
	// +optional
	// +kubebuilder:validation:MaxLength=1000
	Description string `json:"description,omitempty"`

	// Store is the system under test.
	// +required
	Store StoreSpec `json:"store"`

	// Servers are the variants to compare. Two entries of one type make an A/A arm.
	// +required
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Servers []ServerSpec `json:"servers"`

	// Baseline is the server that the others are compared with. Default: the first server.
	// +optional
	// +kubebuilder:validation:MaxLength=31
	Baseline string `json:"baseline,omitempty"`

	// Load is the load generator.
	// +required
	Load LoadSpec `json:"load"`

	// Phases run in this order on each server.
	// +required
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	Phases []PhaseSpec `json:"phases"`

	// Operations is the number of operations of a phase, over all load pods, unless the phase sets its own.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000000
	Operations *int64 `json:"operations,omitempty"`

	// Keys is the number of keys in the store. Default: operations.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000000
	Keys *int64 `json:"keys,omitempty"`

	// Rounds is how many times all servers are measured on an installation, in a new random order each time. With precision, it is the
	// maximum.
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	Rounds int32 `json:"rounds"`

	// WarmupRounds is the number of rounds at the start of an installation that are measured and shown, but never compared.
	// +optional
	// +kubebuilder:validation:Minimum=0
	WarmupRounds int32 `json:"warmupRounds,omitempty"`

	// Installations is how often the store is installed, one after the other, each with all rounds and prepare phases. Default: 1.
	// Verdicts over several installations do not depend on the chance of a single one. (With dedicated hosting, every round is an
	// installation.)
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=20
	Installations int32 `json:"installations,omitempty"`

	// Precision is the half-width of the intervals of primary metrics that is requested, as in 3% or 0.03. A phase that has reached it is left
	// out of the remaining rounds; the run ends when all phases have. It requires a budget.
	// +optional
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^[0-9]+(\.[0-9]+)?%?$`
	Precision string `json:"precision,omitempty"`

	// Budget is the time that the measurements of all rounds may take. The run ends after the round that exceeds it, even if precision is
	// not reached. Time between measurements is not counted: a stop, a restart of a node, the installation of a store.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('168h')",message="use a time above 0s and at most 168h, as in 90s or 1h30m"
	Budget *metav1.Duration `json:"budget,omitempty"`

	// Equivalent is the share within which servers count as equivalent, as in 3% or 0.03. Default: 3%. 0% disables equivalence.
	// +optional
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^[0-9]+(\.[0-9]+)?%?$`
	Equivalent string `json:"equivalent,omitempty"`

	// Seed is the seed of the random order. If empty, the operator chooses one and records it in the status.
	// +optional
	Seed *int64 `json:"seed,omitempty"`

	// MaxAttempts is how often a phase is attempted if a load pod or a store node is lost.
	// +kubebuilder:default=3
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10
	MaxAttempts int32 `json:"maxAttempts"`

	// Gates define which conditions make a measurement invalid.
	// +optional
	Gates Gates `json:"gates,omitempty"`

	// Suspend stops the run before its next phase. The phase under way is completed.
	// +optional
	Suspend bool `json:"suspend,omitempty"`

	// TTLAfterFinished is how long a finished run stays in the cluster after its export (annotation ringside.dev/exported-end, which the
	// ringside command sets; status.exportedAt). A run that is not exported is never removed. If empty, the run stays until it is deleted.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('8760h')",message="use a time from 0s to 8760h, as in 90s or 1h30m"
	TTLAfterFinished *metav1.Duration `json:"ttlAfterFinished,omitempty"`
}

// Hosting defines how servers share stores.
// +kubebuilder:validation:Enum=Dedicated;Shared;SideBySide
type Hosting string

const (
	// HostingDedicated installs a fresh store, with fresh data, for every server in every round.
	HostingDedicated Hosting = "Dedicated"
	// HostingShared installs one store that hosts all servers at once, each on its own port over the same data.
	HostingShared Hosting = "Shared"
	// HostingSideBySide installs a store for every server at once, each with its own nodes and data, in one release.
	HostingSideBySide Hosting = "SideBySide"
)

// AtOnce reports whether one installation hosts all servers of the experiment.
func (h Hosting) AtOnce() bool { return h == HostingShared || h == HostingSideBySide }

// StoreSpec is the store under test.
type StoreSpec struct {
	// Chart is the name of a chart in the operator's image (charts/ of the repository), or the reference of a chart in a registry with its
	// digest: oci://registry/repository/name@sha256:digest. The operator must allow the registry.
	// +required
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z]([a-z0-9-]{0,29}[a-z0-9])?$') || self.matches('^oci://[^@/ ]+/([a-z0-9]+([._-]+[a-z0-9]+)*/)*[a-z]([a-z0-9-]{0,29}[a-z0-9])?@sha256:[0-9a-f]{64}$')",message="use the name of a chart, or the reference of one in a registry with its digest, as in oci://registry/repository/name@sha256:digest"
	Chart string `json:"chart"`

	// Hosting is Dedicated (a fresh store for each server and round), Shared (one store hosts every server) or SideBySide (a store for each
	// server, all installed at once; the chart must support it).
	// +kubebuilder:default=Dedicated
	Hosting Hosting `json:"hosting"`

	// Values are chart values. The operator adds server.types, image and monitoring values.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Values *apiextensionsv1.JSON `json:"values,omitempty"`

	// ReadyTimeout is how long the store may take until it answers. A pod of store or load may wait half of it for a node, so that a
	// cluster autoscaler can add one.
	// +kubebuilder:default="10m"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s') && duration(self) <= duration('24h')",message="use a time from 1s to 24h, as in 90s or 1h30m"
	ReadyTimeout metav1.Duration `json:"readyTimeout"`
}

// ServerSpec is one variant to compare.
type ServerSpec struct {
	// Name of the server in tables and charts.
	// +required
	// +kubebuilder:validation:Pattern=`^[a-z]([a-z0-9-]{0,29}[a-z0-9])?$`
	// +kubebuilder:validation:MaxLength=31
	Name string `json:"name"`

	// Type is the store's server.type. Default: the name.
	// +optional
	// +kubebuilder:validation:Pattern=`^[a-z]([a-z0-9-]{0,29}[a-z0-9])?$`
	// +kubebuilder:validation:MaxLength=31
	Type string `json:"type,omitempty"`

	// OwnInstance starts a separate server for this entry, even if another entry has the same type: with its own port, threads and options in a
	// shared store, with its own store side by side.
	// Not with dedicated hosting; by default, entries of one type are one server under several names.
	// +optional
	OwnInstance bool `json:"ownInstance,omitempty"`

	// Options are options of this server alone, as defined by the store's chart. Not with dedicated hosting. A server with options has its own
	// instance, as with ownInstance.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(name, self[name].size() <= 4096)",message="use option values of at most 4096 characters"
	Options map[string]string `json:"options,omitempty"`

	// Values are chart values for this server alone, merged over the store's. Dedicated hosting only.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Values *apiextensionsv1.JSON `json:"values,omitempty"`
}

// LoadSpec is the load image and its pods. The contract of a load image is in docs/reference/load-contract.md.
type LoadSpec struct {
	// Image is a Ringside image by its short name (stress, cassandra-load, ycsb), or a full reference.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Image string `json:"image"`

	// Pods is the number of load pods. They start together, at one announced instant.
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=64
	Pods int32 `json:"pods"`

	// Parameters are passed to the image as environment variables RINGSIDE_PARAM_<NAME>.
	// +optional
	Parameters Parameters `json:"parameters,omitempty"`

	// Resources are requests and limits of a load container.
	// +optional
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`

	// NodeSelector selects nodes for load pods, to keep them off the store's nodes.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(name, self[name].size() <= 63)",message="use label values, of at most 63 characters"
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`

	// Tolerations are tolerations of load pods.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`

	// PodAnnotations are annotations of load pods, for example to exclude them from a service mesh. Those of Kubernetes Jobs cannot be set.
	// +optional
	PodAnnotations PodAnnotations `json:"podAnnotations,omitempty"`

	// PodLabels are labels of load pods, for example for policies and cost allocation. Those that Ringside and Kubernetes Jobs set cannot be
	// set here.
	// +optional
	PodLabels PodLabels `json:"podLabels,omitempty"`

	// PriorityClassName is the priority class of load pods. With a high priority, Kubernetes may evict other pods for them.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$`
	PriorityClassName string `json:"priorityClassName,omitempty"`

	// Timeout is the time, in whole seconds, from the start of a load after which its phase counts as failed. A phase with a duration fails earlier:
	// half its duration, at least 5m, after it should have ended. There is no further attempt.
	// +kubebuilder:default="2h"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s') && duration(self) <= duration('168h')",message="use a time from 1s to 168h, as in 90s or 1h30m"
	Timeout metav1.Duration `json:"timeout"`
}

// PodAnnotations of load pods.
//
// +kubebuilder:validation:MaxProperties=32
// +kubebuilder:validation:XValidation:rule="self.all(name, name.size() <= 317 && name.matches('^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$'))",message="use annotation names that Kubernetes allows, as in sidecar.istio.io/inject"
// +kubebuilder:validation:XValidation:rule="self.all(name, !name.matches('^([a-z0-9-]+[.])*ringside[.]dev/|^batch[.]kubernetes[.]io/'))",message="annotations of ringside.dev/ and batch.kubernetes.io/ are set by Ringside and Kubernetes: remove them"
type PodAnnotations map[string]AnnotationValue

// AnnotationValue is the value of a pod annotation.
//
// +kubebuilder:validation:MaxLength=4096
type AnnotationValue string

// PodLabels of load pods.
//
// +kubebuilder:validation:MaxProperties=32
// +kubebuilder:validation:XValidation:rule="self.all(name, name.size() <= 317 && name.matches('^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$'))",message="use label names that Kubernetes allows, as in example.com/team"
// +kubebuilder:validation:XValidation:rule="self.all(name, !name.matches('^([a-z0-9-]+[.])*ringside[.]dev/|^batch[.]kubernetes[.]io/|^app[.]kubernetes[.]io/|^job-name$|^controller-uid$'))",message="labels of ringside.dev/, app.kubernetes.io/ and batch.kubernetes.io/, job-name and controller-uid are set by Ringside and Kubernetes: remove them"
type PodLabels map[string]LabelValue

// LabelValue is the value of a pod label: letters, digits, '.', '_' and '-'.
//
// +kubebuilder:validation:MaxLength=63
// +kubebuilder:validation:Pattern=`^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$`
type LabelValue string

// Parameters are parameters of a load image. A name becomes part of an environment variable's name.
//
// +kubebuilder:validation:MaxProperties=64
// +kubebuilder:validation:XValidation:rule="self.all(name, name.matches('^[a-zA-Z][a-zA-Z0-9._-]{0,62}$'))",message="use parameter names of at most 63 characters that begin with a letter and have letters, digits, '.', '_' and '-'"
// +kubebuilder:validation:XValidation:rule="self.all(name, self[name].size() <= 4096)",message="use parameter values of at most 4096 characters"
type Parameters map[string]string

// PhaseSpec is one piece of load, or an idle period.
//
// +kubebuilder:validation:XValidation:rule="!has(self.idle) || !self.idle || has(self.duration) && !has(self.interleave)",message="an idle phase needs a duration, and cannot be interleaved"
// +kubebuilder:validation:XValidation:rule="!(has(self.operations) && has(self.duration))",message="a phase has operations or a duration, not both"
// +kubebuilder:validation:XValidation:rule="!(has(self.targetOpsPerSecond) && self.targetOpsPerSecond > 0 && has(self.sweepRates) && self.sweepRates.size() > 0)",message="a phase has targetOpsPerSecond or sweepRates, not both"
// +kubebuilder:validation:XValidation:rule="!(has(self.connections) && self.connections > 0 && has(self.sweepConnections) && self.sweepConnections.size() > 0)",message="a phase has connections or sweepConnections, not both"
// +kubebuilder:validation:XValidation:rule="!has(self.recovery) || has(self.duration)",message="a phase with recovery needs a duration"
// +kubebuilder:validation:XValidation:rule="!has(self.faults) || self.faults.size() == 0 || has(self.duration)",message="a phase with faults needs a duration"
// +kubebuilder:validation:XValidation:rule="!has(self.capacity) || has(self.duration)",message="a phase with capacity needs a duration, which is that of all steps"
// +kubebuilder:validation:XValidation:rule="!has(self.capacity) || !(has(self.targetOpsPerSecond) && self.targetOpsPerSecond > 0) && !(has(self.sweepRates) && self.sweepRates.size() > 0)",message="a phase with capacity chooses its own rates: remove targetOpsPerSecond and sweepRates"
type PhaseSpec struct {
	// Name of the phase.
	// +required
	// +kubebuilder:validation:Pattern=`^[a-z]([a-z0-9-]{0,19}[a-z0-9])?$`
	// +kubebuilder:validation:MaxLength=21
	Name string `json:"name"`

	// Operation is the operation that the load image performs: write, read, ... Default: the name. It becomes a label.
	// +optional
	// +kubebuilder:validation:Pattern=`^([a-zA-Z0-9]([a-zA-Z0-9._-]{0,61}[a-zA-Z0-9])?)?$`
	// +kubebuilder:validation:MaxLength=63
	Operation string `json:"operation,omitempty"`

	// Image is the load image of this phase. Default: the experiment's. With it, two load generators can be compared on the same data.
	// +optional
	// +kubebuilder:validation:MaxLength=512
	Image string `json:"image,omitempty"`

	// Repeats is how often the phase runs in a row. Each repeat is a measurement.
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	Repeats int32 `json:"repeats"`

	// Prepare marks a phase that fills or warms the store, once after each installation: by one server or, if interleaved, by all. It is
	// recorded, but never compared.
	// +optional
	Prepare bool `json:"prepare,omitempty"`

	// Idle sends nothing to the store for the phase's duration, and records the CPU time of its idle processes, as the store's pods report
	// it on their counters port.
	// +optional
	Idle bool `json:"idle,omitempty"`

	// Operations is the number of operations over all load pods. Default: the experiment's.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000000
	Operations *int64 `json:"operations,omitempty"`

	// Duration bounds the phase in time instead of operations, in whole seconds.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('168h')",message="use a time above 0s and at most 168h, as in 90s or 1h30m"
	Duration *metav1.Duration `json:"duration,omitempty"`

	// AwaitCompactions is the longest wait after the load of the phase until the store has no pending compactions, as its pods report them on
	// their counters port. What the store reads and writes in the wait counts as the phase's; no other figure contains the wait, and it is not part
	// of load.timeout. A store that does not report them is not awaited. If compactions are still pending at the end of the wait, the run continues,
	// with a warning, and the gate pendingCompactions judges the next measurement. Default: no wait.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('168h')",message="use a time above 0s and at most 168h, as in 90s or 1h30m"
	AwaitCompactions *metav1.Duration `json:"awaitCompactions,omitempty"`

	// Threads is the number of load threads, over all pods.
	// +kubebuilder:default=50
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10000
	Threads int32 `json:"threads"`

	// SweepThreads runs the phase once for each of these thread counts instead of threads.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=10000
	SweepThreads []int32 `json:"sweepThreads,omitempty"`

	// Connections is the number of connections to a server, over all pods. Default: one per thread. With more, each thread uses several
	// connections in turn. Not every load supports this.
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

	// TargetRate is the offered load in operations per second, over all pods. If empty, the load is closed-loop. With a target rate, response
	// time is measured as well as service time.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000000
	TargetRate int64 `json:"targetOpsPerSecond,omitempty"`

	// SweepRates runs the phase once at each of these rates, in operations per second over all pods, instead of targetOpsPerSecond: latency
	// by offered load. Several sweeps of a phase are combined.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=100000000
	SweepRates []int64 `json:"sweepRates,omitempty"`

	// Consistency is the consistency level, if the store has any.
	// +optional
	// +kubebuilder:validation:Pattern=`^[a-zA-Z0-9._-]{0,63}$`
	// +kubebuilder:validation:MaxLength=63
	Consistency string `json:"consistency,omitempty"`

	// PrimaryMetric is the metric of this phase's verdicts, by its column name: op_rate, latency_p99_ms, ... All other metrics are
	// descriptive. Default: op_rate; with capacity, capacity; at a constant rate, cpu_per_op_us where the store reports its CPU time, else
	// latency_p99_ms. cpu_server_us counts only the server's own threads: where a store reports it, it detects smaller differences, but
	// excludes work that the server causes in other threads.
	// +optional
	// +kubebuilder:validation:Pattern=`^[a-z0-9_]{0,63}$`
	// +kubebuilder:validation:MaxLength=63
	PrimaryMetric string `json:"primaryMetric,omitempty"`

	// Precision is the half-width that is requested of this phase's primary intervals, as in 1.5% or 0.015. Default: the experiment's
	// precision. A run without that measures all phases in all rounds. For a primary metric that is compared by differences, it is a time, as
	// in 0.1s or 100ms, without a default.
	// +optional
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^[0-9]+(\.[0-9]+)?(%|ms|s)?$`
	Precision string `json:"precision,omitempty"`

	// Equivalent is the margin within which servers count as equivalent in this phase, as in 3% or 0.03. Default: the experiment's. For metrics
	// that are compared by differences, it is a time, as in 0.1s or 100ms; the default is then 0s, which disables equivalence.
	// +optional
	// +kubebuilder:validation:MaxLength=20
	// +kubebuilder:validation:Pattern=`^[0-9]+(\.[0-9]+)?(%|ms|s)?$`
	Equivalent string `json:"equivalent,omitempty"`

	// Parameters are merged over the load's parameters.
	// +optional
	Parameters Parameters `json:"parameters,omitempty"`

	// Capacity searches for the highest rate at which each server meets an objective. Duration is then the time of all steps of the search;
	// in an interleaved phase, where the servers take turns, the time of all steps of all servers.
	// +optional
	Capacity *CapacitySpec `json:"capacity,omitempty"`

	// Interleave measures all servers under one load, which has connections to each of them and switches between them in short windows in
	// random order. It requires a shared store, one load pod and a duration, which is that of the windows of all servers together.
	// +optional
	Interleave *Interleave `json:"interleave,omitempty"`

	// Recovery kills the store's processes during the phase, and measures how long until the store accepts operations again and which
	// acknowledged operations it lost. It requires dedicated hosting and uses one load pod. The store's pods are killed through their kill port.
	// +optional
	Recovery *RecoverySpec `json:"recovery,omitempty"`

	// Faults are injected into nodes of the store during the phase, to measure their cost for clients. Each happens once, and each node has at
	// most one. The phase needs a duration and a rate; its load continues with the remaining nodes.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=8
	Faults []FaultSpec `json:"faults,omitempty"`

	// Profile takes a profile of each server and event under this phase's load, in short separate steps after all measurements on an
	// installation. Profiles do not affect the figures and are never compared. The store's pods provide them on their profile port.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=4
	Profile []ProfileEvent `json:"profile,omitempty"`
}

// InterleaveMode defines how many servers are under load at a time.
// +kubebuilder:validation:Enum=Windows;Duet
type InterleaveMode string

const (
	// InterleaveWindows loads one server at a time. It measures the size of a difference.
	InterleaveWindows InterleaveMode = "Windows"
	// InterleaveDuet loads the baseline and one other server at the same time, with half of the threads each. It detects smaller differences
	// (which server is ahead), but underestimates their size.
	InterleaveDuet InterleaveMode = "Duet"
)

// Interleave defines how one load switches between the servers.
type Interleave struct {
	// Window is the time of one server (or pair of servers) under load, from 100ms to 1m, in whole milliseconds.
	// +optional
	// +kubebuilder:default="1s"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('168h')",message="use a time from 0s to 168h, as in 90s or 1h30m"
	Window metav1.Duration `json:"window,omitempty"`

	// Warmup is the time of windows before those that count, in the same process, in whole seconds.
	// +optional
	// +kubebuilder:default="10s"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('168h')",message="use a time from 0s to 168h, as in 90s or 1h30m"
	Warmup metav1.Duration `json:"warmup,omitempty"`

	// Mode is Windows (one server at a time) or Duet (the baseline and another server at the same time).
	// +optional
	// +kubebuilder:default=Windows
	Mode InterleaveMode `json:"mode,omitempty"`

	// LeadIn is the time for which the servers are loaded right before each window without being measured, in whole milliseconds. Default:
	// none. It wakes a server that was idle since its last window; in a duet the baseline is never idle. It is part of the duration.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('168h')",message="use a time from 0s to 168h, as in 90s or 1h30m"
	LeadIn metav1.Duration `json:"leadIn,omitempty"`

	// Reconnect opens all connections again for each piece of a round. Use it where a connection's speed depends on the server thread that it
	// is assigned to: without it, all pieces of a round share one assignment and are not independent. It costs the time to open the
	// connections, each with one uncounted request, up to three times a round.
	// +optional
	Reconnect bool `json:"reconnect,omitempty"`
}

// GateMode defines the effect of a gate on a measurement.
// +kubebuilder:validation:Enum=Enforce;Warn;Off
type GateMode string

const (
	// GateEnforce makes the measurement invalid.
	GateEnforce GateMode = "Enforce"
	// GateWarn keeps it valid and records a warning.
	GateWarn GateMode = "Warn"
	// GateOff disables the check.
	GateOff GateMode = "Off"
)

// GateModes returns all modes.
func GateModes() []GateMode { return []GateMode{GateEnforce, GateWarn, GateOff} }

// Gates are checks of a measurement. A wrong variant, fewer store nodes than requested, and lost operations always make a measurement
// invalid.
type Gates struct {
	// Errors: more than errorsMaxPermille of the operations failed.
	// +kubebuilder:default=Enforce
	// +optional
	Errors GateMode `json:"errors,omitempty"`
	// StoreRestart: a store pod restarted, or was not ready for a while, during the phase.
	// +kubebuilder:default=Enforce
	// +optional
	StoreRestart GateMode `json:"storeRestart,omitempty"`
	// LoadCPU: a load pod used more than loadCPUMaxPermille of the CPU available to it.
	// +kubebuilder:default=Enforce
	// +optional
	LoadCPU GateMode `json:"loadCPU,omitempty"`
	// LoadWait: a load pod's threads waited for a core for more than loadWaitMaxPermille of the time in which they were runnable. Such a load
	// attributes its own delay to the store.
	// +kubebuilder:default=Enforce
	// +optional
	LoadWait GateMode `json:"loadWait,omitempty"`
	// TargetRate: less than targetRateMinPermille of the constant rate was answered in time. Every operation that was due is in the latencies
	// nevertheless.
	// +kubebuilder:default=Enforce
	// +optional
	TargetRate GateMode `json:"targetRate,omitempty"`
	// Throttling: a load pod was throttled by its CPU limit for more than throttlingMaxPermille of the phase, or a LimitRange gave the store
	// a CPU limit that its chart does not set.
	// +kubebuilder:default=Enforce
	// +optional
	Throttling GateMode `json:"throttling,omitempty"`
	// Colocation: a load pod ran on a node of the store.
	// +kubebuilder:default=Enforce
	// +optional
	Colocation GateMode `json:"colocation,omitempty"`
	// OtherRuns: the store or the load of a run in another namespace used the same nodes during the phase.
	// +kubebuilder:default=Enforce
	// +optional
	OtherRuns GateMode `json:"otherRuns,omitempty"`
	// Disk: a node of the store is not labelled as having an SSD.
	// +kubebuilder:default=Enforce
	// +optional
	Disk GateMode `json:"disk,omitempty"`
	// StartSkew: load pods began more than startSkewLimit apart.
	// +kubebuilder:default=Enforce
	// +optional
	StartSkew GateMode `json:"startSkew,omitempty"`
	// PendingCompactions: compactions were pending or running in the store when the phase began. With Enforce, a store that does not report them
	// fails, too.
	// +kubebuilder:default=Warn
	// +optional
	PendingCompactions GateMode `json:"pendingCompactions,omitempty"`

	// ErrorsMaxPermille is the highest accepted share of failed operations, in permille. Default: 0.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	ErrorsMaxPermille int64 `json:"errorsMaxPermille,omitempty"`
	// LoadCPUMaxPermille is the highest accepted share of its available CPU that a load pod uses, in permille. Above it, the load generator
	// may be the bottleneck. Default: 950.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	LoadCPUMaxPermille int64 `json:"loadCPUMaxPermille,omitempty"`
	// LoadWaitMaxPermille is the highest accepted share of the time in which a load pod's threads were runnable that they waited for a core,
	// in permille. Default: 100.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	LoadWaitMaxPermille int64 `json:"loadWaitMaxPermille,omitempty"`
	// TargetRateMinPermille is the lowest accepted share of the target rate that was answered, in permille. Default: 990.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	TargetRateMinPermille int64 `json:"targetRateMinPermille,omitempty"`
	// ThrottlingMaxPermille is the highest accepted share of the phase in which its CPU limit throttled a load pod, in permille. Default: 10.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	ThrottlingMaxPermille int64 `json:"throttlingMaxPermille,omitempty"`
	// StartSkewLimit is the longest accepted time between the starts of load pods. Default: 1s.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('1m')",message="use a time above 0s and at most 1m, as in 90s or 1h30m"
	StartSkewLimit *metav1.Duration `json:"startSkewLimit,omitempty"`
}

// Condition types of an Experiment.
const (
	// ConditionAccepted is true once the spec has passed all checks.
	ConditionAccepted = "Accepted"
	// ConditionStoreReady is true while a store is installed and answers.
	ConditionStoreReady = "StoreReady"
	// ConditionProgressing is true from acceptance until the end. Its reason is the current activity.
	ConditionProgressing = "Progressing"
	// ConditionComplete is true when all measurements were taken, or enough of them; its reason distinguishes the two.
	ConditionComplete = "Complete"
	// ConditionSucceeded is the result of a run, for clients that wait for its end. It is set once the run has ended and its store is removed:
	// true if the run is Complete, false if it Failed, with the reason of that condition.
	ConditionSucceeded = "Succeeded"
	// ConditionFailed is true when the run ended early. Its message has the cause and the fix.
	ConditionFailed = "Failed"
)

// Reasons of an Experiment's conditions. Progressing has one of the first group; Failed has one of the last.
const (
	ReasonAccepted        = "Accepted"        // the spec has passed all checks; the run begins
	ReasonQueued          = "Queued"          // another run of the namespace is ahead
	ReasonSuspended       = "Suspended"       // the run waits before its next phase (spec.suspend)
	ReasonInstallingStore = "InstallingStore" // the chart of the store is being installed
	ReasonAwaitingStore   = "AwaitingStore"   // the store does not answer yet, or has not proved its servers
	ReasonMeasuring       = "Measuring"       // a phase is under way
	ReasonRemovingStore   = "RemovingStore"   // the store is being removed
	ReasonFinished        = "Finished"        // the run has come to its end
	ReasonFailed          = "Failed"          // the run has ended early; the condition Failed has the cause

	ReasonStoreAnswers = "Answers"    // the store answers and has proved its servers
	ReasonStoreRemoved = "Removed"    // the store is removed
	ReasonNotScraped   = "NotScraped" // no measurement was scraped, although there was time for it

	// ReasonPrecisionReached: the intervals of all primary metrics reached the precision before the last round.
	ReasonPrecisionReached = "PrecisionReached"
	// ReasonBudgetUsed: the budget was used before the last round.
	ReasonBudgetUsed = "BudgetUsed"

	// ReasonRefused: the operator cannot run the spec; nothing was started. The condition Accepted has the reason.
	ReasonRefused = "Refused"
	// ReasonStoreFailed: the store could not be installed, or did not become ready.
	ReasonStoreFailed = "StoreFailed"
	// ReasonStoreLost: the store and its data disappeared during the run.
	ReasonStoreLost = "StoreLost"
	// ReasonVariantUnproved: the store's log does not prove that it runs the requested servers.
	ReasonVariantUnproved = "VariantUnproved"
	// ReasonAPIRefused: the API server permanently rejects an object that the run needs.
	ReasonAPIRefused = "APIRefused"
	// ReasonLoadFailed: the load tool failed in every attempt, or could not be started.
	ReasonLoadFailed = "LoadFailed"
	// ReasonSpecChanged: the spec was changed after the run's start.
	ReasonSpecChanged = "SpecChanged"
)

// ExperimentStatus is the progress of a run.
type ExperimentStatus struct {
	// ObservedGeneration is the generation of the spec that the status describes.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Conditions are Accepted, StoreReady, Progressing, Complete, Failed, Succeeded and Scraped.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	// Seed is the seed of the random order, fixed when the run begins.
	// +optional
	Seed *int64 `json:"seed,omitempty"`
	// AcceptedSpec is the spec at the run's start, without suspend. An operator of a later version compares only the fields in it: a new
	// field with a default is no change.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	AcceptedSpec *apiextensionsv1.JSON `json:"acceptedSpec,omitempty"`
	// Planned is the number of planned measurements.
	// +optional
	Planned int32 `json:"planned,omitempty"`
	// Finished is the number of finished measurements.
	// +optional
	Finished int32 `json:"finished,omitempty"`
	// Invalid is the number of finished measurements that are invalid.
	// +optional
	Invalid int32 `json:"invalid,omitempty"`
	// Precision is the precision reached by the finished rounds, if the spec sets one. It is computed after each round.
	// +optional
	Precision *PrecisionStatus `json:"precision,omitempty"`
	// Current is the measurement under way, or another activity between measurements.
	// +optional
	// +kubebuilder:validation:MaxLength=4096
	Current string `json:"current,omitempty"`
	// Store is the store that is currently installed.
	// +optional
	Store *StoreStatus `json:"store,omitempty"`
	// OnNodes are the nodes of the pods of its current or last store, and of that store's loads. Operators of other namespaces detect shared
	// nodes by them.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=5000
	// +kubebuilder:validation:items:MaxLength=253
	OnNodes []string `json:"onNodes,omitempty"`
	// Units are the units of operations and latencies in output for people, as the store's chart defines them.
	// +optional
	Units *Units `json:"units,omitempty"`
	// StartedAt is when the run started: accepted, with no other run of the namespace before it.
	// +optional
	StartedAt *metav1.Time `json:"startedAt,omitempty"`
	// FinishedAt is when the run ended and its store was removed. The run does not change after this.
	// +optional
	FinishedAt *metav1.Time `json:"finishedAt,omitempty"`
	// ExportedAt is when the operator saw that the finished run was completely exported. Only a run with spec.ttlAfterFinished has it.
	// +optional
	ExportedAt *metav1.Time `json:"exportedAt,omitempty"`
}

// LatencyUnit is the unit in which latencies are shown.
// +kubebuilder:validation:Enum=ms;us
type LatencyUnit string

const (
	// LatencyMillis is milliseconds.
	LatencyMillis LatencyUnit = "ms"
	// LatencyMicros is microseconds.
	LatencyMicros LatencyUnit = "us"
)

// Units are the units of tables, reports and progress lines. Measurements and CSV files always have milliseconds.
type Units struct {
	// Operations is the plural name of the store's operations: requests, packets, transactions. Default: operations.
	// +optional
	// +kubebuilder:validation:Pattern=`^([a-z]([a-z -]{0,29}[a-z])?)?$`
	// +kubebuilder:validation:MaxLength=31
	Operations string `json:"operations,omitempty"`
	// Latency is the unit of latencies, ms or us. Default: ms.
	// +optional
	Latency LatencyUnit `json:"latency,omitempty"`
}

// PrecisionStatus is the precision of a run after a round, and whether the run ends there.
type PrecisionStatus struct {
	// Rounds is the number of finished rounds, including warm-up rounds.
	// +required
	Rounds int32 `json:"rounds"`
	// WidestPercent is the half-width, in percent, of the primary interval that is the widest in relation to the precision of its phase. It is
	// empty while an interval is unknown. At names its server and load.
	// +optional
	WidestPercent Decimal `json:"widestPercent,omitempty"`
	// WidestTime takes the place of widestPercent if that interval is one of differences.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	WidestTime *metav1.Duration `json:"widestTime,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxLength=200
	At string `json:"at,omitempty"`
	// Used is the time that the rounds have taken so far.
	// +required
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	Used metav1.Duration `json:"used"`
	// Reason is why the run ends after these rounds: PrecisionReached or BudgetUsed. Empty while the run continues.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Reason string `json:"reason,omitempty"`
	// Settled are the phases that have reached their precision. They are left out of later rounds, and stay so.
	// +optional
	// +listType=map
	// +listMapKey=phase
	// +kubebuilder:validation:MaxItems=16
	Settled []SettledPhase `json:"settled,omitempty"`
}

// SettledPhase is a phase that has reached its precision before the end of the run.
type SettledPhase struct {
	// Phase is its name.
	// +required
	// +kubebuilder:validation:MaxLength=21
	Phase string `json:"phase"`
	// Rounds is the number of its rounds, including warm-up rounds. It is not measured in later ones.
	// +required
	Rounds int32 `json:"rounds"`
}

// StoreStatus is the installed store, as proved by its log.
type StoreStatus struct {
	// Release is the name of the Helm release.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Release string `json:"release"`
	// Round is the round that the store was installed for (Dedicated), or 0 (Shared).
	// +required
	Round int32 `json:"round"`
	// Servers are the names of the servers that it hosts.
	// +required
	// +listType=set
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MaxLength=31
	Servers []string `json:"servers"`
	// Built describes the build of the store's image, as the operator knew it at installation. The running variant is verified against it.
	// Empty: unknown.
	// +optional
	Built *Build `json:"built,omitempty"`
	// InstalledAt is when the installation began.
	// +required
	InstalledAt metav1.Time `json:"installedAt"`
	// Nodes is the requested number of store pods. Measurements of fewer pods are invalid.
	// +optional
	Nodes int32 `json:"nodes,omitempty"`
	// ReadyAt is when the store first answered.
	// +optional
	ReadyAt *metav1.Time `json:"readyAt,omitempty"`
	// Pods are the pods whose logs have the proofs, with UID and restart count at that time.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=1024
	Pods []StorePod `json:"pods,omitempty"`
	// Proofs are the proofs of the servers, one per server and store pod.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16384
	Proofs []Proof `json:"proofs,omitempty"`
}

// Experiment is one run of a comparison.
//
// +kubebuilder:object:root=true
// +kubebuilder:storageversion
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
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +required
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
