package v1beta1

import "strings"

// ProfileEvent is the event that a profile samples.
// +kubebuilder:validation:Enum=CPU;Alloc;Lock;Wall
type ProfileEvent string

const (
	// ProfileCPU samples where threads use the CPU.
	ProfileCPU ProfileEvent = "CPU"
	// ProfileAlloc samples where memory is allocated.
	ProfileAlloc ProfileEvent = "Alloc"
	// ProfileLock samples where threads wait for locks.
	ProfileLock ProfileEvent = "Lock"
	// ProfileWall samples all threads, whether they run or not.
	ProfileWall ProfileEvent = "Wall"
)

// ProfileEvents returns all events.
func ProfileEvents() []ProfileEvent {
	return []ProfileEvent{ProfileCPU, ProfileAlloc, ProfileLock, ProfileWall}
}

// String returns the word of texts, files and the profile port: cpu for CPU.
func (e ProfileEvent) String() string { return strings.ToLower(string(e)) }

// ProfileOrder is a request for a profile.
type ProfileOrder struct {
	// +required
	Event ProfileEvent `json:"event"`
	// WarmupSeconds is the time of load before the recording.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=604800
	WarmupSeconds int32 `json:"warmupSeconds"`
	// Seconds is the time of the recording.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=600
	Seconds int32 `json:"seconds"`
}

// Profile is a merged profile of the store's pods: stacks, and how much was counted in each.
type Profile struct {
	// +required
	Event ProfileEvent `json:"event"`
	// Engine is the sampling engine that the pods reported; several if they differ. ctimer and itimer see no kernel frames.
	// +optional
	// +kubebuilder:validation:MaxLength=200
	Engine string `json:"engine,omitempty"`
	// Unit is the unit of the counts: ns, bytes or samples.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	Unit string `json:"unit,omitempty"`
	// Total is the sum of the counts, in units; Samples is the number of samples that the pods reported.
	// +optional
	Total int64 `json:"total,omitempty"`
	// +optional
	Samples int64 `json:"samples,omitempty"`
	// Stacks is the number of distinct stacks, Pods the number of pods that provided them.
	// +optional
	Stacks int64 `json:"stacks,omitempty"`
	// +optional
	Pods int32 `json:"pods,omitempty"`
	// LeftOut lists what is missing from the profile, a line each.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=8192
	LeftOut []string `json:"leftOut,omitempty"`
	// Chunks are the ConfigMaps that hold the stacks as gzipped text, in order; concatenated they are one gzip stream.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=4
	// +kubebuilder:validation:items:MaxLength=253
	Chunks []string `json:"chunks,omitempty"`
}
