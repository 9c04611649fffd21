package v1beta1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// InterleaveMode defines how many servers are under load at a time.
// +kubebuilder:validation:Enum=Windows;Duet
type InterleaveMode string

const (
	// InterleaveWindows loads one server at a time. It measures the size of a difference.
	InterleaveWindows InterleaveMode = "Windows"
	// InterleaveDuet loads the baseline and one other server at the same time, with half of the threads each. It detects smaller differences
	// (which server is ahead), but underestimates their size.
	InterleaveDuet InterleaveMode = "Duet"
)

// Interleave defines how one load switches between the servers.
type Interleave struct {
	// Window is the time of one server (or pair of servers) under load, from 100ms to 1m, in whole milliseconds.
	// +optional
	// +kubebuilder:default="1s"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('168h')",message="use a time from 0s to 168h, as in 90s or 1h30m"
	Window metav1.Duration `json:"window,omitempty"`

	// Warmup is the time of windows before those that count, in the same process, in whole seconds.
	// +optional
	// +kubebuilder:default="10s"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('168h')",message="use a time from 0s to 168h, as in 90s or 1h30m"
	Warmup metav1.Duration `json:"warmup,omitempty"`

	// Mode is Windows (one server at a time) or Duet (the baseline and another server at the same time).
	// +optional
	// +kubebuilder:default=Windows
	Mode InterleaveMode `json:"mode,omitempty"`

	// LeadIn is the time for which the servers are loaded right before each window without being measured, in whole milliseconds. Default:
	// none. It wakes a server that was idle since its last window; in a duet the baseline is never idle. It is part of the duration.
	// +optional
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('0s') && duration(self) <= duration('168h')",message="use a time from 0s to 168h, as in 90s or 1h30m"
	LeadIn metav1.Duration `json:"leadIn,omitempty"`

	// Reconnect opens all connections again for each piece of a round. Use it where a connection's speed depends on the server thread that it
	// is assigned to: without it, all pieces of a round share one assignment and are not independent. It costs the time to open the
	// connections, each with one uncounted request, up to three times a round.
	// +optional
	Reconnect bool `json:"reconnect,omitempty"`
}
