package v1beta1

import (
	"cmp"
	"slices"
)

// ErrorKind is why an operation failed, as reported by the load.
// +kubebuilder:validation:Enum=broken;refused;store-failed;store-timed-out;timed-out;unavailable;unconnected;unknown;wrong
type ErrorKind string

// Kinds of errors, the same for all loads (docs/reference/load-contract.md explains each). Loads on load-kit have them in its ErrorKind.java.
const (
	ErrorBroken        ErrorKind = "broken"
	ErrorRefused       ErrorKind = "refused"
	ErrorStoreFailed   ErrorKind = "store-failed"
	ErrorStoreTimedOut ErrorKind = "store-timed-out"
	ErrorTimedOut      ErrorKind = "timed-out"
	ErrorUnavailable   ErrorKind = "unavailable"
	ErrorUnconnected   ErrorKind = "unconnected"
	ErrorUnknown       ErrorKind = "unknown"
	ErrorWrong         ErrorKind = "wrong"
)

// ErrorKinds returns all kinds in order.
func ErrorKinds() []ErrorKind {
	return []ErrorKind{ErrorBroken, ErrorRefused, ErrorStoreFailed, ErrorStoreTimedOut, ErrorTimedOut, ErrorUnavailable, ErrorUnconnected, ErrorUnknown, ErrorWrong}
}

// ErrorCount is the number of operations that failed for one reason.
type ErrorCount struct {
	// +required
	Kind ErrorKind `json:"kind"`
	// +required
	// +kubebuilder:validation:Minimum=0
	Count int64 `json:"count"`
}

// AddErrors adds up counts by kind, in the order of kinds.
func AddErrors(all ...[]ErrorCount) []ErrorCount {
	var sum []ErrorCount
	for _, counts := range all {
		for _, c := range counts {
			at, there := slices.BinarySearchFunc(sum, c.Kind, func(have ErrorCount, kind ErrorKind) int { return cmp.Compare(have.Kind, kind) })
			if !there {
				sum = slices.Insert(sum, at, ErrorCount{Kind: c.Kind})
			}
			sum[at].Count += c.Count
		}
	}
	return sum
}
