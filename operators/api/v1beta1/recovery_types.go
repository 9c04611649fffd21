package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// RecoverySpec kills the store's processes (SIGKILL) during a phase. They are restarted on the same volumes. The load sends unacknowledged
// operations again, continues, and at the end reads everything that it ever sent.
type RecoverySpec struct {
	// KillAfter is the time from the load's first operation until the kill, in whole milliseconds. It must be well before the phase's end.
	// +required
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) > duration('0s') && duration(self) <= duration('168h')",message="use a time above 0s and at most 168h, as in 90s or 1h30m"
	KillAfter metav1.Duration `json:"killAfter"`
}

// SurvivesKill is the key in a store's proof that states, true or false, whether everything that a server acknowledged survives a kill of
// its process.
const SurvivesKill = "survives_kill"

// Recovery is the cost of killing the store's processes. An operation that was sent several times is counted once.
type Recovery struct {
	// FirstMicros is the time from the kill until the restarted store acknowledged an interrupted operation; AllMicros until it did so on every
	// connection. Both include the container's restart and the store's start-up.
	// +required
	FirstMicros int64 `json:"firstMicros"`
	// +required
	AllMicros int64 `json:"allMicros"`
	// Sent and Acknowledged are the numbers of operations sent and acknowledged over the whole phase.
	// +required
	Sent int64 `json:"sent"`
	// +required
	Acknowledged int64 `json:"acknowledged"`
	// Kept is the number of acknowledged operations that the store has at the end, as they were sent. Lost: not there, without an error.
	// Refused: acknowledged with the remark that earlier data they build on is missing. Wrong: there, but different from what was sent.
	// +required
	Kept int64 `json:"kept"`
	// +required
	Lost int64 `json:"lost"`
	// +required
	Refused int64 `json:"refused"`
	// +required
	Wrong int64 `json:"wrong"`
}

// Even reports whether every acknowledged operation has exactly one outcome.
func (r Recovery) Even() bool { return r.Acknowledged == r.Kept+r.Lost+r.Refused+r.Wrong }
