package v1alpha1

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FaultKind is what is done to a node of the store.
// +kubebuilder:validation:Enum=kill;pause;cut;lose;slow;busy;fill
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
	// FaultLose loses each packet from and to the node by a chance, its kubelet's too, for a time, and tells nobody.
	FaultLose FaultKind = "lose"
	// FaultSlow holds each packet to the node, its kubelet's too, for a while before it arrives, for a time: whatever is asked of the node, and
	// whatever it asks of others, is answered so much later.
	FaultSlow FaultKind = "slow"
	// FaultBusy keeps the disk of the node's volume busy for a time, with direct, synchronous writes to a file of 64 MiB without a name, as a
	// neighbour on the same disk does. Other nodes of the store that share the disk are hit alike.
	FaultBusy FaultKind = "busy"
	// FaultFill fills the node's volume for a time, once, with a file without a name: of what the store frees meanwhile it takes nothing. The volume
	// must be a file system of its own on a block device, since one that is a folder of the node's disk would fill that.
	FaultFill FaultKind = "fill"
)

// FaultKinds are all there are.
func FaultKinds() []FaultKind {
	return []FaultKind{FaultKill, FaultPause, FaultCut, FaultLose, FaultSlow, FaultBusy, FaultFill}
}

// Timed says whether faults of the kind last for a time, and are undone by the helper that did them.
func (k FaultKind) Timed() bool { return k != FaultKill }

// Silences says whether a node that is hit answers nobody meanwhile, its kubelet neither.
func (k FaultKind) Silences() bool { return k == FaultPause || k == FaultCut }

// OfVolume says whether the node is hit by way of its volume.
func (k FaultKind) OfVolume() bool { return k == FaultBusy || k == FaultFill }

// FaultSpec is what befalls one node of the store in the middle of a phase.
// +kubebuilder:validation:XValidation:rule="has(self.for) == (self.kind != 'kill')",message="every fault but a kill lasts for a time (for)"
// +kubebuilder:validation:XValidation:rule="has(self.percent) == (self.kind == 'lose')",message="to lose is to lose a share of the packets (percent), which no other fault has"
// +kubebuilder:validation:XValidation:rule="has(self.delay) == (self.kind == 'slow')",message="to slow is to hold each packet for a while (delay), which no other fault does"
// +kubebuilder:validation:XValidation:rule="!has(self.leave) || self.kind == 'fill'",message="only to fill is to leave room on the volume (leave)"
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
	// For is how long any but a kill lasts, in whole milliseconds: a pause and a cut less than what makes the kubelet restart the node, and none
	// less than the second by which its cost is told.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s') && duration(self) <= duration('10m')",message="give a time of 1s or more, and of 10m at most, as in 10s"
	For *metav1.Duration `json:"for,omitempty"`
	// Percent of the packets that are lost, each by this chance, those from the node as those to it: of 100 requests and their answers in one
	// packet each, 10 percent leave 81. To lose all is a cut.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=99
	Percent int32 `json:"percent,omitempty"`
	// Delay for which each packet to the node is held, in whole milliseconds: that much longer is the way to the node and back.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1ms') && duration(self) <= duration('1s')",message="give a time of 1ms or more, and of 1s at most, as in 50ms"
	Delay *metav1.Duration `json:"delay,omitempty"`
	// Leave is how much of the volume is left free when it is filled, as in 16Mi: nothing, unless told. What the file system keeps for root is never counted.
	// +optional
	Leave *resource.Quantity `json:"leave,omitempty"`
}

// What is done, and how much of it.
func (f FaultSpec) What() string {
	switch f.Kind {
	case FaultLose:
		return fmt.Sprintf("%s %d%%", f.Kind, f.Percent)
	case FaultSlow:
		return fmt.Sprintf("%s by %s", f.Kind, f.Delays())
	case FaultFill:
		if f.Leave != nil && !f.Leave.IsZero() {
			return fmt.Sprintf("%s but %s", f.Kind, f.Leave)
		}
	}
	return string(f.Kind)
}

// Delays is for how long each packet is held; 0 where none is.
func (f FaultSpec) Delays() time.Duration {
	if f.Delay == nil {
		return 0
	}
	return f.Delay.Duration
}

// Leaves is how many bytes of the volume are left free; 0 where none are, or it is not filled.
func (f FaultSpec) Leaves() int64 {
	if f.Leave == nil {
		return 0
	}
	return f.Leave.Value()
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
	// BeganAt and UndoneAt are when any but a kill did, by the clock of the pod's node.
	// +optional
	BeganAt *metav1.MicroTime `json:"beganAt,omitempty"`
	// +optional
	UndoneAt *metav1.MicroTime `json:"undoneAt,omitempty"`
	// Failure says why one that lasts for a time was not done as ordered; empty where it was.
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
	// AtMicros is when it was asked for, or when one that lasts for a time began, from the load's first interval.
	AtMicros int64 `json:"atMicros"`
	// ForMicros is how long it lasted; nothing for a kill.
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
