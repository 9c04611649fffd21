package v1alpha1

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FaultKind is what is done to a node of the store.
// +kubebuilder:validation:Enum=kill;pause;cut
type FaultKind string

const (
	// FaultKill deletes the node's pod with the shortest grace that still waits for its processes' end, so that two of them never have one
	// volume: they get SIGTERM and, two seconds later, SIGKILL. Its StatefulSet brings it back, with its volume, under another address.
	FaultKill FaultKind = "kill"
	// FaultPause holds all threads of the node's processes for a time, as a long collection of garbage or a stalled machine does: connections
	// stay, and are not answered.
	FaultPause FaultKind = "pause"
	// FaultCut drops all packets from and to the node for a time, its kubelet's too, and tells nobody.
	FaultCut FaultKind = "cut"
)

// Timed says whether faults of the kind last for a time, and are undone by the helper that did them.
func (k FaultKind) Timed() bool { return k == FaultPause || k == FaultCut }

// FaultSpec is what befalls one node of the store in the middle of a phase.
// +kubebuilder:validation:XValidation:rule="has(self.for) == (self.kind != 'kill')",message="a pause and a cut last for a time (for), a kill does not"
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
	// For is how long a pause or a cut lasts, in whole milliseconds: less than what makes the kubelet restart the node, and not less than the
	// second by which its cost is told.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s') && duration(self) <= duration('10m')",message="give a time of 1s or more, and of 10m at most, as in 10s"
	For *metav1.Duration `json:"for,omitempty"`
}

// Lasts is for how long it lasts; 0 for a kill, whose end is the store's.
func (f FaultSpec) Lasts() time.Duration {
	if f.For == nil {
		return 0
	}
	return f.For.Duration
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
	// BeganAt and UndoneAt are when a pause or a cut did, by the clock of the pod's node.
	// +optional
	BeganAt *metav1.MicroTime `json:"beganAt,omitempty"`
	// +optional
	UndoneAt *metav1.MicroTime `json:"undoneAt,omitempty"`
	// Failure says why a pause or a cut was not done as ordered; empty where it was.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Failure string `json:"failure,omitempty"`
	// GoneAt is when the pod was seen to be gone, with all its processes.
	// +optional
	GoneAt *metav1.MicroTime `json:"goneAt,omitempty"`
	// ReadyAt is when the pod that came in its place was ready, to the second, and Successor its UID; one that was not killed is its own.
	// +optional
	ReadyAt *metav1.MicroTime `json:"readyAt,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Successor string `json:"successor,omitempty"`
}

// Moment from which it counts: when it began, where somebody was there to see it, else when it was asked for.
func (f FaultStatus) Moment() time.Time {
	if f.BeganAt != nil {
		return f.BeganAt.Time
	}
	return f.AskedAt.Time
}

// FaultEffect is what a fault cost those who asked the store meanwhile, by how many operations were answered in each second or so.
type FaultEffect struct {
	// Index of the fault in the phase's list, its Kind, and the Node that it hit.
	Index int32     `json:"index"`
	Kind  FaultKind `json:"kind"`
	Node  int32     `json:"node"`
	// AtMicros is when it was asked for, or when a pause or a cut began, from the load's first interval.
	AtMicros int64 `json:"atMicros"`
	// ForMicros is how long a pause or a cut lasted; nothing for a kill.
	// +optional
	ForMicros *int64 `json:"forMicros,omitempty"`
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
