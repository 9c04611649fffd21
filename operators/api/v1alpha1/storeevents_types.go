package v1alpha1

// StoreEvents are what the nodes of a store did for one another while faults befell some of them, from right before the load began until right
// after it had ended: by their own count, added up over the nodes that told both times. What is done later, such as the delivery of hints to a node
// that came back at the end, is not in it.
type StoreEvents struct {
	// Nodes that told before and after, Of how many. One that came back under another address is not among them.
	Nodes int32 `json:"nodes"`
	Of    int32 `json:"of"`
	// Counts by the names that charts/README.md has.
	// +kubebuilder:validation:MaxProperties=8
	Counts map[string]int64 `json:"counts"`
}
