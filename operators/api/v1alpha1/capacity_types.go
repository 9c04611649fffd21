package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// CapacitySpec is an objective, and how the highest rate at which a server keeps it is searched for: in one load, in steps of a rate
// each. A step that keeps the objective is followed by a higher rate, one that does not by a lower one, in strides that become finer
// wherever the direction turns. So the capacity is the rate at which half of the steps keep it.
//
// +kubebuilder:validation:XValidation:rule="!has(self.to) || self.to == 0 || self.to > self.from",message="to must be higher than from"
type CapacitySpec struct {
	// By says what the objective is: Latency, a percentile within the bound, or Queue, that the store's queue does not grow. In both
	// the rate must be reached, and hardly an operation may fail.
	// +kubebuilder:default=Latency
	// +optional
	By CapacityObjective `json:"by,omitempty"`

	// Percentile of the response time, from when an operation was due, that is held against the bound; by Queue it is told, and decides
	// nothing.
	// +kubebuilder:default="99.9"
	// +kubebuilder:validation:Enum="50";"90";"95";"99";"99.9";"99.99"
	// +optional
	Percentile string `json:"percentile,omitempty"`

	// Bound that the percentile may not exceed, in whole microseconds. By Queue there is none.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('168h')",message="give a time of 0s or more, and of 168h at most, as in 90s or 1h30m"
	Bound metav1.Duration `json:"bound,omitempty"`

	// FailedMaxPermille of a step's operations may fail, or remain without an answer. 0 when empty: none may.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=999
	FailedMaxPermille int64 `json:"failedMaxPermille,omitempty"`

	// From is the first rate that is tried, in operations per second.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000000
	From int64 `json:"from"`

	// To is the highest rate that is tried; without an end when empty.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100000000
	To int64 `json:"to,omitempty"`

	// Step is how long a rate is offered, from 100ms to 10m in whole milliseconds; longer where it takes longer for ten operations to lie
	// beyond the percentile or, by Queue, for 200 to be due: batches, where operations go in such.
	// +optional
	// +kubebuilder:default="5s"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('168h')",message="give a time of 0s or more, and of 168h at most, as in 90s or 1h30m"
	Step metav1.Duration `json:"step,omitempty"`

	// PrecisionPermille is the finest stride between two rates, in permille of the rate.
	// +optional
	// +kubebuilder:default=50
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=500
	PrecisionPermille int64 `json:"precisionPermille,omitempty"`
}

// CapacityObjective is what a rate must keep.
// +kubebuilder:validation:Enum=Latency;Queue
type CapacityObjective string

const (
	// ByLatency holds a percentile of the response time against a bound.
	ByLatency CapacityObjective = "Latency"
	// ByQueue asks that what is due and not done does not grow, with 95% confidence: the store's queue, by the counters that its chart
	// names, and what waits for it in the load.
	ByQueue CapacityObjective = "Queue"
)

// Capacity is what a search found.
type Capacity struct {
	// Rate in operations per second that half of the steps keep the objective at; 0 where none was kept.
	// +kubebuilder:validation:Minimum=0
	Rate int64 `json:"rate"`
	// Settled says that the search came to its end, and not its time.
	// +optional
	Settled bool `json:"settled,omitempty"`
	// Steps in their order.
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=300
	Steps []CapacityStep `json:"steps"`
}

// CapacityStep is a rate that was tried.
type CapacityStep struct {
	// Rate that was offered, in operations per second.
	Rate int64 `json:"rate"`
	// Operations answered, Errors, and Unanswered, which did not fail either.
	Operations int64 `json:"operations"`
	// +optional
	Errors int64 `json:"errors,omitempty"`
	// +optional
	Unanswered int64 `json:"unanswered,omitempty"`
	// NotBegun operations were due in the step, and given up before they began.
	// +optional
	// +kubebuilder:validation:Minimum=0
	NotBegun int64 `json:"notBegun,omitempty"`
	// PercentileMillis is the response time at the objective's percentile, in which those that did not begin have as long as they had
	// waited at the least.
	PercentileMillis Decimal `json:"percentileMillis"`
	// Kept says whether the objective was.
	Kept bool `json:"kept"`
	// QueueSamples is how often the queue was told in the step, where a search goes by it.
	// +optional
	QueueSamples int64 `json:"queueSamples,omitempty"`
	// QueueGrowth of what was due and not done, in operations a second, by least squares; nothing where too few samples tell. With 95%
	// confidence each, it grew by no less than QueueGrowthLeast and by no more than QueueGrowthMost.
	// +optional
	QueueGrowth Decimal `json:"queueGrowth,omitempty"`
	// +optional
	QueueGrowthLeast Decimal `json:"queueGrowthLeast,omitempty"`
	// +optional
	QueueGrowthMost Decimal `json:"queueGrowthMost,omitempty"`
}
