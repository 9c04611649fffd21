package v1beta1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FaultKind is the kind of fault that is injected into a node of the store.
// +kubebuilder:validation:Enum=Kill;Pause;Cut;Lose;Slow;Busy;Fill;Maintain
type FaultKind string

// Kinds of faults. Those of v1alpha1 say what each does.
const (
	FaultKill     FaultKind = "Kill"
	FaultPause    FaultKind = "Pause"
	FaultCut      FaultKind = "Cut"
	FaultLose     FaultKind = "Lose"
	FaultSlow     FaultKind = "Slow"
	FaultBusy     FaultKind = "Busy"
	FaultFill     FaultKind = "Fill"
	FaultMaintain FaultKind = "Maintain"
)

// Fault is a fault that is injected into one node of the store during a phase.
// +kubebuilder:validation:XValidation:rule="has(self.for) == (self.kind != 'Kill')",message="every fault except Kill needs a time (for); Kill has none"
// +kubebuilder:validation:XValidation:rule="has(self.share) == (self.kind == 'Lose')",message="fault Lose needs a share of the packets; no other fault has one"
// +kubebuilder:validation:XValidation:rule="has(self.delay) == (self.kind == 'Slow')",message="fault Slow needs a delay; no other fault has one"
// +kubebuilder:validation:XValidation:rule="!has(self.leave) || self.kind == 'Fill'",message="only fault Fill leaves free space on the volume (leave)"
// +kubebuilder:validation:XValidation:rule="has(self.task) == (self.kind == 'Maintain')",message="fault Maintain needs a task of the store, such as repair; no other fault has one"
type Fault struct {
	// Kind is the kind of the fault. Kill deletes the node's pod, Pause stops all its threads, Cut drops all its packets, and Lose a share of
	// them. Slow delays each packet to it, Busy keeps its disk busy, and Fill fills its volume. Maintain has the node carry out a task of its
	// own maintenance.
	// +required
	Kind FaultKind `json:"kind"`
	// Node is the node of the store: the ordinal of its pod, from 0.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	Node int32 `json:"node"`
	// At is the time from the load's start until the fault, in whole milliseconds. It must be well before the phase's end.
	// +required
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('168h')",message="use a time above 0s and at most 168h, as in 90s or 1h30m"
	At metav1.Duration `json:"at"`
	// For is how long the fault lasts, in whole milliseconds; a Kill has none. A Pause or a Cut must be shorter than the kubelet takes to
	// restart the node. The minimum is one second, the resolution of the measured cost. For fault Maintain, it is the longest time that the
	// task may take: a measurement in which it takes longer is invalid.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s') && duration(self) <= duration('10m')",message="use a time from 1s to 10m, as in 10s"
	For *metav1.Duration `json:"for,omitempty"`
	// Share is the probability with which each packet from or to the node is dropped, in whole percent: at 10%, 81 of 100 requests of one packet
	// are answered. To drop all packets, use Cut.
	// +optional
	// +kubebuilder:validation:MaxLength=3
	// +kubebuilder:validation:Pattern=`^[1-9][0-9]?%$`
	Share string `json:"share,omitempty"`
	// Delay is how long each packet to the node is delayed, in whole milliseconds. It adds to the round-trip time.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1ms') && duration(self) <= duration('1s')",message="use a time from 1ms to 1s, as in 50ms"
	Delay *metav1.Duration `json:"delay,omitempty"`
	// Leave is the space of the volume that stays free when it is filled, as in 16Mi. Default: 0. Space reserved for root is not counted.
	// +optional
	Leave *resource.Quantity `json:"leave,omitempty"`
	// Task is what the node does in fault Maintain: one of those that the store's chart offers (annotation ringside.dev/maintenance), such as
	// repair.
	// +optional
	// +kubebuilder:validation:MaxLength=31
	// +kubebuilder:validation:Pattern=`^[a-z][a-z0-9]*$`
	Task string `json:"task,omitempty"`
}
