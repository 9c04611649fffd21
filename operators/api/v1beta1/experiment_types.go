package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ExperimentSpec defines a run: store × servers × phases × rounds. It is immutable, apart from suspend and ttlAfterFinished: a run is one
// Experiment object. The first two rules compare every other field; a test verifies that none is missing.
//
// +kubebuilder:validation:XValidation:rule="self.store == oldSelf.store && self.servers == oldSelf.servers && self.load == oldSelf.load && self.phases == oldSelf.phases && self.rounds == oldSelf.rounds && self.maxAttempts == oldSelf.maxAttempts",message="a run's spec is fixed (only suspend and ttlAfterFinished may change); start a new run instead"
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

	// Installations is how often the store is installed, one after the other, each with all rounds and phases of type Prepare. Default: 1.
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

	// Seed is the seed of the random order. If empty, the operator chooses one and records it in the status. The highest is the highest whole
	// number up to which clients that parse JSON numbers as floating point read each exactly.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=9007199254740991
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
