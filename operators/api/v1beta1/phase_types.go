package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PhaseType is the kind of a phase.
// +kubebuilder:validation:Enum=Measure;Prepare;Idle;Capacity;Recovery;Faults
type PhaseType string

const (
	// PhaseMeasure measures each server under one load, or at each point of a sweep.
	PhaseMeasure PhaseType = "Measure"
	// PhasePrepare fills or warms the store, once after each installation: by one server or, if interleaved, by all. It is recorded, but never
	// compared.
	PhasePrepare PhaseType = "Prepare"
	// PhaseIdle sends nothing to the store, and records the CPU time of its idle processes, as the store's pods report it on their counters
	// port.
	PhaseIdle PhaseType = "Idle"
	// PhaseCapacity searches for the highest rate at which each server meets an objective.
	PhaseCapacity PhaseType = "Capacity"
	// PhaseRecovery kills the store's processes during the phase.
	PhaseRecovery PhaseType = "Recovery"
	// PhaseFaults injects faults into nodes of the store during the phase.
	PhaseFaults PhaseType = "Faults"
)

// PhaseSpec is one piece of load, or an idle period. Its type decides which of capacity, recovery and faults it has.
//
// +kubebuilder:validation:XValidation:rule="has(self.capacity) == (self.type == 'Capacity')",message="a phase of type Capacity has capacity, and no other phase has"
// +kubebuilder:validation:XValidation:rule="has(self.recovery) == (self.type == 'Recovery')",message="a phase of type Recovery has recovery, and no other phase has"
// +kubebuilder:validation:XValidation:rule="has(self.faults) == (self.type == 'Faults')",message="a phase of type Faults has faults, and no other phase has"
// +kubebuilder:validation:XValidation:rule="!has(self.interleave) || self.type in ['Measure', 'Prepare', 'Capacity']",message="only a phase of type Measure, Prepare or Capacity can have interleave"
// +kubebuilder:validation:XValidation:rule="!has(self.profile) || self.type == 'Measure' && (!has(self.interleave) || self.interleave.mode != 'Duet')",message="only a phase of type Measure that is no duet can have profile"
// +kubebuilder:validation:XValidation:rule="!(has(self.operations) && has(self.duration))",message="a phase has operations or a duration, not both"
// +kubebuilder:validation:XValidation:rule="has(self.duration) || self.type in ['Measure', 'Prepare'] && !has(self.interleave)",message="a phase of type Idle, Capacity, Recovery or Faults, and an interleaved phase, need a duration"
// +kubebuilder:validation:XValidation:rule="!(has(self.targetRate) && has(self.sweep) && has(self.sweep.rates))",message="a phase has targetRate or sweep.rates, not both"
// +kubebuilder:validation:XValidation:rule="!(has(self.connections) && has(self.sweep) && has(self.sweep.connections))",message="a phase has connections or sweep.connections, not both"
// +kubebuilder:validation:XValidation:rule="self.type != 'Idle' || !has(self.targetRate) && !has(self.sweep)",message="a phase of type Idle has no load: remove targetRate and sweep"
// +kubebuilder:validation:XValidation:rule="self.type != 'Capacity' || !has(self.targetRate) && !(has(self.sweep) && has(self.sweep.rates))",message="a phase of type Capacity chooses its own rates: remove targetRate and sweep.rates"
// +kubebuilder:validation:XValidation:rule="self.type != 'Faults' || has(self.targetRate) || has(self.sweep) && has(self.sweep.rates)",message="a phase of type Faults needs targetRate or sweep.rates: a closed-loop load sends nothing while it waits for answers"
type PhaseSpec struct {
	// Name of the phase, as in read-rate: lowercase letters, digits and dashes.
	// +required
	// +kubebuilder:validation:Pattern=`^[a-z]([a-z0-9-]{0,19}[a-z0-9])?$`
	// +kubebuilder:validation:MaxLength=21
	Name string `json:"name"`

	// Type is the kind of the phase. Measure compares the servers under a load. Prepare fills or warms the store, once after each installation:
	// by one server or, if interleaved, by all. Idle has no load, and records the CPU time of the idle store. Capacity searches for the highest
	// rate. Recovery kills the store's processes. Faults injects faults into nodes of the store.
	// +optional
	// +kubebuilder:default=Measure
	Type PhaseType `json:"type,omitempty"`

	// Operation is the operation that the load image performs, as in write: letters, digits, dots and dashes. Default: the name. It becomes a label.
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

	// Operations is the number of operations over all load pods. Default: the experiment's.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000000000000
	Operations *int64 `json:"operations,omitempty"`

	// Duration bounds the phase in time instead of operations, in whole seconds. With type Capacity, it is the time of all steps of the search;
	// with interleave, that of the windows of all servers together.
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

	// Connections is the number of connections to a server, over all pods. Default: one per thread. With more, each thread uses several
	// connections in turn. Not every load supports this.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000
	Connections int32 `json:"connections,omitempty"`

	// TargetRate is the offered load in operations per second, over all pods. If empty, the load is closed-loop. With a target rate, response
	// time is measured as well as service time.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000000
	TargetRate int64 `json:"targetRate,omitempty"`

	// Sweep runs the phase once for each combination of its values.
	// +optional
	Sweep Sweep `json:"sweep,omitzero"`

	// Consistency is the consistency level, if the store has any.
	// +optional
	// +kubebuilder:validation:Pattern=`^[a-zA-Z0-9._-]{0,63}$`
	// +kubebuilder:validation:MaxLength=63
	Consistency string `json:"consistency,omitempty"`

	// PrimaryMetric is the metric of this phase's verdicts, by its column name: op_rate, latency_p99_ms, ... All other metrics are
	// descriptive. Default: op_rate; with type Capacity, capacity; at a constant rate, cpu_per_op_us where the store reports its CPU time, else
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

	// Interleave measures all servers under one load, which has connections to each of them and switches between them in short windows in
	// random order. It requires a shared store, one load pod and a duration.
	// +optional
	Interleave *Interleave `json:"interleave,omitempty"`

	// Capacity is the objective of a phase of type Capacity, and how it searches.
	// +optional
	Capacity *CapacitySpec `json:"capacity,omitempty"`

	// Recovery defines the kill of a phase of type Recovery, which measures how long until the store accepts operations again and which
	// acknowledged operations it lost. It requires dedicated hosting and uses one load pod. The store's pods are killed through their kill port.
	// +optional
	Recovery *RecoverySpec `json:"recovery,omitempty"`

	// Faults are the faults of a phase of type Faults, to measure their cost for clients. Each happens once, and each node has at most one. The
	// load continues with the remaining nodes.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=8
	Faults []FaultSpec `json:"faults,omitempty"`

	// Profile takes a profile of each server and event under this phase's load, in short separate steps after all measurements on an
	// installation. Profiles do not affect the figures and are never compared. The store's pods provide them on their profile port.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=4
	Profile []ProfileEvent `json:"profile,omitempty"`
}

// Sweep has the values of a phase that runs at several loads: every combination of them.
//
// +kubebuilder:validation:MinProperties=1
type Sweep struct {
	// Threads are numbers of load threads, over all pods, instead of the phase's.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=10000
	Threads []int32 `json:"threads,omitempty"`

	// Connections are numbers of connections to a server, over all pods.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=100000
	Connections []int32 `json:"connections,omitempty"`

	// Rates are offered loads in operations per second, over all pods: latency by offered load.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=32
	// +kubebuilder:validation:items:Minimum=1
	// +kubebuilder:validation:items:Maximum=100000000
	Rates []int64 `json:"rates,omitempty"`
}
