package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// CapacitySpec is an objective, and the search for the highest rate at which a server meets it: in one load, in steps of one rate each. A step
// that meets the objective is followed by a higher rate, any other by a lower one, and the difference shrinks whenever the direction changes.
// The capacity is the rate at which half of the steps meet the objective.
//
// +kubebuilder:validation:XValidation:rule="!has(self.to) || self.to > self.from",message="to must be higher than from"
// +kubebuilder:validation:XValidation:rule="has(self.bound) == (self.by != 'Queue')",message="a search by Latency needs a bound of its percentile; a search by Queue has none"
type CapacitySpec struct {
	// By is the kind of objective: Latency (a percentile within the bound) or Queue (the store's queue does not grow). Both also require
	// that the rate is reached and that operations do not fail (failedMax).
	// +kubebuilder:default=Latency
	// +optional
	By CapacityObjective `json:"by,omitempty"`

	// Percentile is the percentile of the response time, measured from when an operation was due, that is compared with the bound. With by:
	// Queue it is only reported.
	// +kubebuilder:default="99.9"
	// +kubebuilder:validation:Enum="50";"90";"95";"99";"99.9";"99.99"
	// +optional
	Percentile string `json:"percentile,omitempty"`

	// Bound is the highest accepted value of the percentile, in whole microseconds.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('1h')",message="use a time above 0s and at most 1h, as in 20ms"
	Bound metav1.Duration `json:"bound,omitzero"`

	// FailedMax is the highest accepted share of a step's operations that fail or remain unanswered, below 100%. Default: 0%.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self != '100%'",message="use a share below 100%"
	FailedMax Share `json:"failedMax,omitempty"`

	// From is the least first rate of the search, in operations per second. Each search begins at a random rate, less than twice that.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000000
	From int64 `json:"from"`

	// To is the highest rate of the search. Default: no limit.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100000000
	To int64 `json:"to,omitempty"`

	// Step is how long each rate is offered, from 100ms to 10m in whole milliseconds. A step takes longer if needed for ten operations beyond
	// the percentile or, with by: Queue, for 200 operations (or batches) to be due.
	// +optional
	// +kubebuilder:default="5s"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('100ms') && duration(self) <= duration('10m')",message="use a time from 100ms to 10m, as in 5s"
	Step metav1.Duration `json:"step,omitempty"`

	// Precision is the smallest difference between two rates of the search, as a share of the rate, at most 50%.
	// +optional
	// +kubebuilder:default="5%"
	// +kubebuilder:validation:XValidation:rule="self.matches('^([0-9]|[1-4][0-9])([.][0-9])?%$|^50([.]0)?%$')",message="use a share of at most 50%"
	Precision PositiveShare `json:"precision,omitempty"`
}

// CapacityObjective is the kind of objective that a rate must meet.
// +kubebuilder:validation:Enum=Latency;Queue
type CapacityObjective string

const (
	// ByLatency requires a percentile of the response time within a bound.
	ByLatency CapacityObjective = "Latency"
	// ByQueue requires, with 95% confidence, that the number of operations that are due and not done does not grow: the store's queue, by the
	// counters that its chart names, plus operations that wait in the load.
	ByQueue CapacityObjective = "Queue"
)

// Capacity is the result of a capacity search.
type Capacity struct {
	// Rate is the rate, in operations per second, at which half of the steps meet the objective; 0 if no step did.
	// +required
	// +kubebuilder:validation:Minimum=0
	Rate int64 `json:"rate"`
	// Settled reports that the search ended before its time was used up.
	// +optional
	Settled bool `json:"settled,omitempty"`
	// Steps are all steps, in order.
	// +required
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=300
	Steps []CapacityStep `json:"steps"`
}

// CapacityStep is one step of a capacity search.
type CapacityStep struct {
	// Rate is the offered rate, in operations per second.
	// +required
	Rate int64 `json:"rate"`
	// Operations were answered, Errors failed, and Unanswered neither were answered nor failed.
	// +required
	Operations int64 `json:"operations"`
	// +optional
	Errors int64 `json:"errors,omitempty"`
	// +optional
	Unanswered int64 `json:"unanswered,omitempty"`
	// NotBegun is the number of operations that were due in the step but never started.
	// +optional
	// +kubebuilder:validation:Minimum=0
	NotBegun int64 `json:"notBegun,omitempty"`
	// PercentileMillis is the response time at the objective's percentile. An operation that never started counts with the time that it had
	// waited, a lower bound.
	// +required
	PercentileMillis Decimal `json:"percentileMillis"`
	// Kept reports whether the step met the objective.
	// +required
	Kept bool `json:"kept"`
	// QueueSamples is how often the queue's length was sampled in the step, with by: Queue.
	// +optional
	QueueSamples int64 `json:"queueSamples,omitempty"`
	// QueueGrowth is the growth of the number of operations due and not done, in operations per second, by least squares; absent if there are
	// too few samples. QueueGrowthLeast and QueueGrowthMost are its lower and upper bounds, each with 95% confidence.
	// +optional
	QueueGrowth Decimal `json:"queueGrowth,omitempty"`
	// +optional
	QueueGrowthLeast Decimal `json:"queueGrowthLeast,omitempty"`
	// +optional
	QueueGrowthMost Decimal `json:"queueGrowthMost,omitempty"`
}
