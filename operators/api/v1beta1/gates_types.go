package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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
	// Errors: more than errorsMax of the operations failed.
	// +kubebuilder:default=Enforce
	// +optional
	Errors GateMode `json:"errors,omitempty"`
	// StoreRestart: a store pod restarted, or was not ready for a while, during the phase.
	// +kubebuilder:default=Enforce
	// +optional
	StoreRestart GateMode `json:"storeRestart,omitempty"`
	// LoadCPU: a load pod used more than loadCPUMax of the CPU available to it.
	// +kubebuilder:default=Enforce
	// +optional
	LoadCPU GateMode `json:"loadCPU,omitempty"`
	// LoadWait: a load pod's threads waited for a core for more than loadWaitMax of the time in which they were runnable. Such a load attributes
	// its own delay to the store.
	// +kubebuilder:default=Enforce
	// +optional
	LoadWait GateMode `json:"loadWait,omitempty"`
	// TargetRate: less than targetRateMin of the constant rate was answered in time. Every operation that was due is in the latencies
	// nevertheless.
	// +kubebuilder:default=Enforce
	// +optional
	TargetRate GateMode `json:"targetRate,omitempty"`
	// Throttling: a load pod was throttled by its CPU limit for more than throttlingMax of the phase, or a LimitRange gave the store a CPU limit
	// that its chart does not set.
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
	// StartSkew: load pods began more than startSkewMax apart.
	// +kubebuilder:default=Enforce
	// +optional
	StartSkew GateMode `json:"startSkew,omitempty"`
	// PendingCompactions: compactions were pending or running in the store when the phase began. With Enforce, a store that does not report them
	// fails, too.
	// +kubebuilder:default=Warn
	// +optional
	PendingCompactions GateMode `json:"pendingCompactions,omitempty"`

	// ErrorsMax is the highest accepted share of failed operations. Default: 0%.
	// +optional
	ErrorsMax Share `json:"errorsMax,omitempty"`
	// LoadCPUMax is the highest accepted share of its available CPU that a load pod uses. Above it, the load generator may be the bottleneck.
	// Default: 95%.
	// +optional
	LoadCPUMax PositiveShare `json:"loadCPUMax,omitempty"`
	// LoadWaitMax is the highest accepted share of the time in which a load pod's threads were runnable that they waited for a core.
	// Default: 10%.
	// +optional
	LoadWaitMax PositiveShare `json:"loadWaitMax,omitempty"`
	// TargetRateMin is the lowest accepted share of the target rate that was answered. Default: 99%.
	// +optional
	TargetRateMin PositiveShare `json:"targetRateMin,omitempty"`
	// ThrottlingMax is the highest accepted share of the phase in which its CPU limit throttled a load pod. Default: 1%.
	// +optional
	ThrottlingMax PositiveShare `json:"throttlingMax,omitempty"`
	// StartSkewMax is the longest accepted time between the starts of load pods. Default: 1s.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('1m')",message="use a time above 0s and at most 1m, as in 1s"
	StartSkewMax *metav1.Duration `json:"startSkewMax,omitempty"`
}
