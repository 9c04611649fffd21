package v1beta1

// StoreReadings are the I/O counters and sizes that all pods of the store reported right before a load pod began and right after it had
// ended, summed. docs/reference/store-contract.md defines the names.
type StoreReadings struct {
	// Before and After are the counters at these times.
	// +required
	// +kubebuilder:validation:MaxProperties=8
	Before map[string]int64 `json:"before"`
	// +required
	// +kubebuilder:validation:MaxProperties=8
	After map[string]int64 `json:"after"`
	// Sizes are the sizes after the load.
	// +optional
	// +kubebuilder:validation:MaxProperties=8
	Sizes map[string]int64 `json:"sizes,omitempty"`
}

// StoreIO is the I/O of the store under a load, by the store's own counters, from right before the first load pod began until right after
// the last had ended. Fields that the store does not report are absent.
type StoreIO struct {
	// PutBytes are bytes of keys and values that clients wrote, GotBytes of those that they read and found.
	// +optional
	PutBytes *int64 `json:"putBytes,omitempty"`
	// +optional
	GotBytes *int64 `json:"gotBytes,omitempty"`
	// WrittenBytes were written to disk, ReadBytes were read from disk.
	// +optional
	WrittenBytes *int64 `json:"writtenBytes,omitempty"`
	// +optional
	ReadBytes *int64 `json:"readBytes,omitempty"`
	// LiveBytes is the size of all readable keys and values after the load, DiskBytes the size of the store's files.
	// +optional
	LiveBytes *int64 `json:"liveBytes,omitempty"`
	// +optional
	DiskBytes *int64 `json:"diskBytes,omitempty"`
	// WriteAmplification is bytes written to disk per byte put, ReadAmplification bytes read from disk per byte got, SpaceAmplification bytes
	// on disk per live byte.
	// +optional
	WriteAmplification Decimal `json:"writeAmplification,omitempty"`
	// +optional
	ReadAmplification Decimal `json:"readAmplification,omitempty"`
	// +optional
	SpaceAmplification Decimal `json:"spaceAmplification,omitempty"`
	// WrittenPerOp is bytes written to disk per operation; absent for a capacity search, whose warm-up is not counted in operations.
	// +optional
	WrittenPerOp Decimal `json:"writtenPerOp,omitempty"`
}
