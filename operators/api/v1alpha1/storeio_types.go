package v1alpha1

// StoreReadings are what all pods of the store told right before a load pod began and right after it had ended, added up, by the names that
// charts/README.md has for what is put, got, written and read, and for what is live and on disk.
type StoreReadings struct {
	// Before and After are what they had counted by then.
	// +kubebuilder:validation:MaxProperties=8
	Before map[string]int64 `json:"before"`
	// +kubebuilder:validation:MaxProperties=8
	After map[string]int64 `json:"after"`
	// Sizes are how much they held then.
	// +optional
	// +kubebuilder:validation:MaxProperties=8
	Sizes map[string]int64 `json:"sizes,omitempty"`
}

// StoreIO is what a load made the store write and read, by the store's own count, from right before the first load pod began until right
// after the last had ended. What the store does not tell is absent.
type StoreIO struct {
	// PutBytes are keys and values that the store was given to keep, GotBytes those that were asked of it and found.
	// +optional
	PutBytes *int64 `json:"putBytes,omitempty"`
	// +optional
	GotBytes *int64 `json:"gotBytes,omitempty"`
	// WrittenBytes went to its disks, ReadBytes came from them.
	// +optional
	WrittenBytes *int64 `json:"writtenBytes,omitempty"`
	// +optional
	ReadBytes *int64 `json:"readBytes,omitempty"`
	// LiveBytes are the keys and values that could be got when the load had ended, DiskBytes what the store's files took then.
	// +optional
	LiveBytes *int64 `json:"liveBytes,omitempty"`
	// +optional
	DiskBytes *int64 `json:"diskBytes,omitempty"`
	// WriteAmplification is bytes written for each that was put, ReadAmplification bytes read for each that was got, SpaceAmplification bytes
	// on disk for each that is live.
	// +optional
	WriteAmplification Decimal `json:"writeAmplification,omitempty"`
	// +optional
	ReadAmplification Decimal `json:"readAmplification,omitempty"`
	// +optional
	SpaceAmplification Decimal `json:"spaceAmplification,omitempty"`
	// WrittenPerOp is bytes written for an operation; nothing of a search, whose warm-up is in no count of operations.
	// +optional
	WrittenPerOp Decimal `json:"writtenPerOp,omitempty"`
}
