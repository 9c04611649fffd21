package v1beta1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
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
	// AcceptedSpec is the spec at the run's start, without suspend, as the operator compares it: in version v1alpha1.
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
	Store *v1alpha1.StoreStatus `json:"store,omitempty"`
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
// +kubebuilder:validation:Enum=Milliseconds;Microseconds
type LatencyUnit string

const (
	// LatencyMillis is milliseconds.
	LatencyMillis LatencyUnit = "Milliseconds"
	// LatencyMicros is microseconds.
	LatencyMicros LatencyUnit = "Microseconds"
)

// Units are the units of tables, reports and progress lines. Measurements and CSV files always have milliseconds.
type Units struct {
	// Operations is the plural name of the store's operations: requests, packets, transactions. Default: operations.
	// +optional
	// +kubebuilder:validation:Pattern=`^([a-z]([a-z -]{0,29}[a-z])?)?$`
	// +kubebuilder:validation:MaxLength=31
	Operations string `json:"operations,omitempty"`
	// Latency is the unit of latencies. Default: Milliseconds.
	// +optional
	Latency LatencyUnit `json:"latency,omitempty"`
}

// PrecisionStatus is the precision of a run after a round, and whether the run ends there.
type PrecisionStatus struct {
	// Rounds is the number of finished rounds, including warm-up rounds.
	// +required
	Rounds int32 `json:"rounds"`
	// Widest is the half-width of the primary interval that is the widest in relation to the precision of its phase, as in 2.5%. It is empty
	// while an interval is unknown. At names its server and load.
	// +optional
	// +kubebuilder:validation:MaxLength=65
	// +kubebuilder:validation:Pattern=`^-?[0-9]+(\.[0-9]+)?%$`
	Widest string `json:"widest,omitempty"`
	// WidestTime takes the place of widest if that interval is one of differences.
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
	Settled []v1alpha1.SettledPhase `json:"settled,omitempty"`
}
