package v1alpha1

// ProfileEvent is what a profile is of.
// +kubebuilder:validation:Enum=cpu;alloc;lock;wall
type ProfileEvent string

const (
	// ProfileCPU is where threads use the CPU.
	ProfileCPU ProfileEvent = "cpu"
	// ProfileAlloc is where memory is allocated.
	ProfileAlloc ProfileEvent = "alloc"
	// ProfileLock is where threads wait for locks.
	ProfileLock ProfileEvent = "lock"
	// ProfileWall is where threads are, whether they run or not.
	ProfileWall ProfileEvent = "wall"
)

// ProfileOrder is a profile to be taken.
type ProfileOrder struct {
	Event ProfileEvent `json:"event"`
	// WarmupSeconds of load before the recording.
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=604800
	WarmupSeconds int32 `json:"warmupSeconds"`
	// Seconds that are recorded.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=600
	Seconds int32 `json:"seconds"`
}

// Profile is what the store's pods told of themselves, merged: stacks, and how much was counted in each.
type Profile struct {
	Event ProfileEvent `json:"event"`
	// Engine that really sampled, by the pods' own word; several where they differ. ctimer and itimer see no kernel frames.
	// +optional
	// +kubebuilder:validation:MaxLength=200
	Engine string `json:"engine,omitempty"`
	// Unit of the counts: ns, bytes or samples.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	Unit string `json:"unit,omitempty"`
	// Total is the sum of the counts, in units; Samples are how many samples it rests on, by the pods' own word.
	// +optional
	Total int64 `json:"total,omitempty"`
	// +optional
	Samples int64 `json:"samples,omitempty"`
	// Stacks that are told apart, Pods that gave them.
	// +optional
	Stacks int64 `json:"stacks,omitempty"`
	// +optional
	Pods int32 `json:"pods,omitempty"`
	// LeftOut says, a line each, what is not in the profile.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	LeftOut []string `json:"leftOut,omitempty"`
	// Chunks are the ConfigMaps that hold the stacks as gzipped text, in order; concatenated they are one gzip stream.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=4
	// +kubebuilder:validation:items:MaxLength=253
	Chunks []string `json:"chunks,omitempty"`
}
