package v1beta1

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FaultKind is the kind of fault that is injected into a node of the store.
// +kubebuilder:validation:Enum=Kill;Pause;Cut;Lose;Slow;Busy;Fill;Maintain
type FaultKind string

const (
	// FaultKill deletes the node's pod with the shortest grace period that still waits for its processes to end, so that two pods never use
	// one volume: processes get SIGTERM and, two seconds later, SIGKILL. The StatefulSet recreates the pod, with its volume, under another
	// address.
	FaultKill FaultKind = "Kill"
	// FaultPause stops all threads of the node's processes for a time, like a long garbage collection or a stalled machine: connections
	// stay open, but are not answered.
	FaultPause FaultKind = "Pause"
	// FaultCut silently drops all packets from and to the node's pod for a time, including those of its kubelet.
	FaultCut FaultKind = "Cut"
	// FaultLose silently drops a random share of the packets from and to the node's pod for a time, including those of its kubelet.
	FaultLose FaultKind = "Lose"
	// FaultSlow delays each packet to the node's pod for a time, including those of its kubelet. Requests to the node, and its own requests
	// to others, are answered that much later.
	FaultSlow FaultKind = "Slow"
	// FaultBusy keeps the disk of the node's volume busy for a time, with direct, synchronous writes to an unnamed file of 64 MiB, like a
	// noisy neighbour on the same disk. Other nodes of the store on the same disk are affected as well.
	FaultBusy FaultKind = "Busy"
	// FaultFill fills the node's volume once, for a time, with an unnamed file. It does not take space that the store frees meanwhile. The
	// volume must be its own file system on a block device: a volume that is a folder of the node's disk would fill that disk.
	FaultFill FaultKind = "Fill"
	// FaultMaintain has the node carry out a task of its own maintenance, such as a repair. The store itself does it, through the port
	// MaintenancePortName of the pod, and it is over when the store reports so.
	FaultMaintain FaultKind = "Maintain"
)

// FaultKinds returns all kinds.
func FaultKinds() []FaultKind {
	return []FaultKind{FaultKill, FaultPause, FaultCut, FaultLose, FaultSlow, FaultBusy, FaultFill, FaultMaintain}
}

// String returns the word of texts, files and commands: kill for Kill.
func (k FaultKind) String() string { return strings.ToLower(string(k)) }

// Timed reports whether faults of the kind last for a time, and are undone by the helper that injected them.
func (k FaultKind) Timed() bool { return k != FaultKill }

// EndsItself reports whether the fault is over when the store says so. Its time (for) is then the most that it may take.
func (k FaultKind) EndsItself() bool { return k == FaultMaintain }

// Silences reports whether the node answers nobody during the fault, not even its kubelet.
func (k FaultKind) Silences() bool { return k == FaultPause || k == FaultCut }

// OfVolume reports whether the fault acts on the node's volume.
func (k FaultKind) OfVolume() bool { return k == FaultBusy || k == FaultFill }

// TaskUpgrade is the task of fault Maintain after which the node is another server: the one that a value of the store names (annotation
// ringside.dev/upgrade-to). Its process restarts once. All other tasks leave the node what it is.
const TaskUpgrade = "upgrade"

// Upgrades reports whether the node is another server after the fault.
func (f FaultSpec) Upgrades() bool { return f.Kind == FaultMaintain && f.Task == TaskUpgrade }

// FaultSpec is a fault that is injected into one node of the store during a phase.
// +kubebuilder:validation:XValidation:rule="has(self.for) == (self.kind != 'Kill')",message="every fault except Kill needs a time (for); Kill has none"
// +kubebuilder:validation:XValidation:rule="has(self.share) == (self.kind == 'Lose')",message="fault Lose needs a share of the packets; no other fault has one"
// +kubebuilder:validation:XValidation:rule="has(self.delay) == (self.kind == 'Slow')",message="fault Slow needs a delay; no other fault has one"
// +kubebuilder:validation:XValidation:rule="!has(self.leave) || self.kind == 'Fill'",message="only fault Fill leaves free space on the volume (leave)"
// +kubebuilder:validation:XValidation:rule="has(self.task) == (self.kind == 'Maintain')",message="fault Maintain needs a task of the store, such as repair; no other fault has one"
type FaultSpec struct {
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
	// +kubebuilder:validation:MaxLength=8
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

// What describes the fault and its strength.
func (f FaultSpec) What() string {
	switch f.Kind {
	case FaultLose:
		return fmt.Sprintf("%s %s", f.Kind, f.Share)
	case FaultSlow:
		return fmt.Sprintf("%s by %s", f.Kind, f.Delays())
	case FaultFill:
		if f.Leave != nil && !f.Leave.IsZero() {
			return fmt.Sprintf("%s but %s", f.Kind, f.Leave)
		}
	case FaultMaintain:
		return fmt.Sprintf("%s: %s", f.Kind, f.Task)
	}
	return f.Kind.String()
}

// Percent returns the share of packets that are lost, in percent; 0 if none are.
func (f FaultSpec) Percent() int32 { return int32(Share(f.Share).Permille() / 10) }

// Delays returns how long each packet is delayed; 0 if not at all.
func (f FaultSpec) Delays() time.Duration {
	if f.Delay == nil {
		return 0
	}
	return f.Delay.Duration
}

// Leaves returns how many bytes of the volume stay free; 0 if none do, or if the volume is not filled.
func (f FaultSpec) Leaves() int64 {
	if f.Leave == nil {
		return 0
	}
	return f.Leave.Value()
}

// Lasts returns how long the fault lasts; 0 for a kill.
func (f FaultSpec) Lasts() time.Duration {
	if f.For == nil {
		return 0
	}
	return f.For.Duration
}

// FaultStatus is the status of a requested fault, by the clocks of the operator and the cluster.
type FaultStatus struct {
	// Index is the fault's position in the phase's list, from 0.
	// +required
	// +kubebuilder:validation:Minimum=0
	Index int32 `json:"index"`
	// Pod and UID identify the pod that the fault was requested for. It is never requested for its successor.
	// +required
	// +kubebuilder:validation:MaxLength=253
	Pod string `json:"pod"`
	// +required
	// +kubebuilder:validation:MaxLength=64
	UID string `json:"uid"`
	// AskedAt is when the fault was requested from the API server. It is the last request, if an operator died before it knew of an earlier one.
	// +required
	AskedAt metav1.MicroTime `json:"askedAt"`
	// BeganAt and UndoneAt are when a fault other than a kill began and was undone, by the clock of the pod's node.
	// +optional
	BeganAt *metav1.MicroTime `json:"beganAt,omitempty"`
	// +optional
	UndoneAt *metav1.MicroTime `json:"undoneAt,omitempty"`
	// ClockOffsetMicros is how far the clock of these times, the operator's for AskedAt of a kill, is ahead of the API server's, and
	// ClockErrorMicros the bound of its error; absent if unknown.
	// +optional
	ClockOffsetMicros *int64 `json:"clockOffsetMicros,omitempty"`
	// +optional
	ClockErrorMicros *int64 `json:"clockErrorMicros,omitempty"`
	// Failure is why a fault other than a kill was not injected as requested; empty if it was.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	Failure string `json:"failure,omitempty"`
	// GoneAt is when the operator saw that the pod was gone, with all its processes.
	// +optional
	GoneAt *metav1.MicroTime `json:"goneAt,omitempty"`
	// ReadyAt is when the pod's successor was ready, to the second, and Successor is its UID. A pod that was not killed is its own successor.
	// +optional
	ReadyAt *metav1.MicroTime `json:"readyAt,omitempty"`
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Successor string `json:"successor,omitempty"`
}

// Moment returns the time from which the fault counts: when it began, if known, else when it was requested.
func (f FaultStatus) Moment() time.Time {
	if f.BeganAt != nil {
		return f.BeganAt.Time
	}
	return f.AskedAt.Time
}

// FaultEffect is the cost of a fault for clients, computed from the number of operations answered in each second.
type FaultEffect struct {
	// Index is the fault's position in the phase's list, Kind its kind, and Node the affected node.
	// +required
	Index int32 `json:"index"`
	// +required
	Kind FaultKind `json:"kind"`
	// +required
	Node int32 `json:"node"`
	// Task is the task of a fault of kind Maintain.
	// +optional
	// +kubebuilder:validation:MaxLength=31
	Task string `json:"task,omitempty"`
	// AtMicros is the time of the fault from the load's first interval: when it began, or when a kill was requested.
	// +required
	AtMicros int64 `json:"atMicros"`
	// ForMicros is how long the fault lasted; absent for a kill.
	// +optional
	ForMicros *int64 `json:"forMicros,omitempty"`
	// ReadyMicros is the time from the fault until the node was ready again, to the second; absent if it was not.
	// +optional
	ReadyMicros *int64 `json:"readyMicros,omitempty"`
	// LevelOpRate is the median rate, in operations per second, before the first fault of the phase. The fields below require it.
	// +optional
	LevelOpRate Decimal `json:"levelOpRate,omitempty"`
	// DetectMicros is the time from the fault until the end of the first second in which less than 95% of the level was answered; absent if
	// there was none.
	// +optional
	DetectMicros *int64 `json:"detectMicros,omitempty"`
	// RecoverMicros is the time from the fault until the first second from which 95% of the level was answered again, in that second and in the
	// mean of five; 0 if it never was less, absent if the rate did not recover.
	// +optional
	RecoverMicros *int64 `json:"recoverMicros,omitempty"`
	// Availability is the share of the level that was answered, second by second, from the fault until the phase's end or the next fault.
	// Answers above the level (of operations that had waited) do not compensate.
	// +optional
	Availability Decimal `json:"availability,omitempty"`
	// BeforeP99Millis is the 99th percentile of latency from the load's start until its first fault, DuringP99Millis that of the operations that
	// were due while this fault lasted, whenever they ended. Failed operations count at least their timeout. Absent for a kill, and where there were
	// too few operations.
	// +optional
	BeforeP99Millis Decimal `json:"beforeP99Millis,omitempty"`
	// +optional
	DuringP99Millis Decimal `json:"duringP99Millis,omitempty"`
}
