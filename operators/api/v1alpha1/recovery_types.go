package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// RecoverySpec has the store's processes killed (SIGKILL) in the middle of a phase: they are started anew on the same volumes, the load sends
// again what was not acknowledged, goes on, and in the end asks for everything that it ever sent.
type RecoverySpec struct {
	// KillAfter the load's first operation, in whole milliseconds, and well before the phase's end.
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('168h')",message="give a time of more than 0s, and of 168h at most, as in 90s or 1h30m"
	KillAfter metav1.Duration `json:"killAfter"`
}

// SurvivesKill is what a store's proof says, true or false, of whether all that a server acknowledged is there again after its process was
// killed.
const SurvivesKill = "survives_kill"

// Recovery is what the death of the store's processes cost. Operations are counted once, however often they were sent again.
type Recovery struct {
	// FirstMicros are from the kill until an operation that it had interrupted was acknowledged by the store that came back; AllMicros until
	// that was so on every connection. The container's restart is in it, and whatever the store does before it answers.
	FirstMicros int64 `json:"firstMicros"`
	AllMicros   int64 `json:"allMicros"`
	// Sent operations, and those of them that were Acknowledged, over the whole phase.
	Sent         int64 `json:"sent"`
	Acknowledged int64 `json:"acknowledged"`
	// Kept of the acknowledged: in the store in the end, as they were sent. Lost: not there, and nobody said so. Refused: acknowledged as
	// operations that what they build on is missing for. Wrong: there otherwise than they were sent.
	Kept    int64 `json:"kept"`
	Lost    int64 `json:"lost"`
	Refused int64 `json:"refused"`
	Wrong   int64 `json:"wrong"`
}

// Even says whether every acknowledged operation has one end.
func (r Recovery) Even() bool { return r.Acknowledged == r.Kept+r.Lost+r.Refused+r.Wrong }
