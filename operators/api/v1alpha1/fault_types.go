package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// FaultKind is what is done to a node of the store.
// +kubebuilder:validation:Enum=kill
type FaultKind string

// FaultKill deletes the node's pod with the shortest grace that still waits for its processes' end, so that two of them never have one
// volume: they get SIGTERM and, two seconds later, SIGKILL. Its StatefulSet brings it back, with its volume, under another address.
const FaultKill FaultKind = "kill"

// FaultSpec is what befalls one node of the store in the middle of a phase.
type FaultSpec struct {
	Kind FaultKind `json:"kind"`
	// Node of the store, from 0: the ordinal of its pod.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	Node int32 `json:"node"`
	// At is when, from the load's start, in whole milliseconds, and well before the phase's end.
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('168h')",message="give a time of more than 0s, and of 168h at most, as in 90s or 1h30m"
	At metav1.Duration `json:"at"`
}

// FaultStatus is what became of a fault that was ordered, by the operator's clock and the cluster's.
type FaultStatus struct {
	// Index of the fault in the phase's list, from 0.
	// +kubebuilder:validation:Minimum=0
	Index int32 `json:"index"`
	// Pod that was hit, and its UID: it is never asked of its successor.
	Pod string `json:"pod"`
	UID string `json:"uid"`
	// AskedAt is when the API server was asked to do it; again, later, where an operator died before it knew whether it was.
	AskedAt metav1.MicroTime `json:"askedAt"`
	// GoneAt is when the pod was seen to be gone, with all its processes.
	// +optional
	GoneAt *metav1.MicroTime `json:"goneAt,omitempty"`
	// ReadyAt is when the pod that came in its place was ready, to the second, and Successor its UID.
	// +optional
	ReadyAt *metav1.MicroTime `json:"readyAt,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Successor string `json:"successor,omitempty"`
}

// FaultEffect is what a fault cost those who asked the store meanwhile, by how many operations were answered in each second or so.
type FaultEffect struct {
	// Index of the fault in the phase's list, its Kind, and the Node that it hit.
	Index int32     `json:"index"`
	Kind  FaultKind `json:"kind"`
	Node  int32     `json:"node"`
	// AtMicros is when it was asked for, from the load's first interval.
	AtMicros int64 `json:"atMicros"`
	// ReadyMicros is from then until the node was ready again, to the second; nothing where it was not.
	// +optional
	ReadyMicros *int64 `json:"readyMicros,omitempty"`
	// LevelOpRate is the median rate, in operations per second, before the first fault of the phase. Nothing of what follows is known without it.
	// +optional
	LevelOpRate Decimal `json:"levelOpRate,omitempty"`
	// DetectMicros is from the fault until the end of the first second in which less than 95% of the level was answered: nobody can tell
	// sooner. Nothing where none was.
	// +optional
	DetectMicros *int64 `json:"detectMicros,omitempty"`
	// RecoverMicros is from the fault until the first second from which on 95% of the level was answered again, in it and on the mean of
	// five; 0 where it never was less, nothing where it did not come to that.
	// +optional
	RecoverMicros *int64 `json:"recoverMicros,omitempty"`
	// Availability is the share of the level that was answered, second by second, from the fault until the phase's end or the next fault.
	// What is answered beyond the level, because it had waited, makes up for nothing.
	// +optional
	Availability Decimal `json:"availability,omitempty"`
}
