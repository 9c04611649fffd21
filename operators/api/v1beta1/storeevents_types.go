package v1beta1

// StoreEvents are counters of work between the nodes of a store during faults, from right before the load until right after it: summed over
// the nodes that reported both times. Later work, such as the delivery of hints to a node that came back at the end, is not included.
type StoreEvents struct {
	// Nodes is the number of nodes that reported before and after, Of the number of all nodes. A node that came back under another address is
	// not counted.
	// +required
	Nodes int32 `json:"nodes"`
	// +required
	Of int32 `json:"of"`
	// Counts are the counters by name; docs/reference/store-contract.md defines the names.
	// +required
	// +kubebuilder:validation:MaxProperties=8
	Counts map[string]int64 `json:"counts"`
}
