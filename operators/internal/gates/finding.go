package gates

import (
	"fmt"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Finding is what a gate found.
type Finding struct {
	// Reason is one word for programs, of the reasons that the catalogue lists for the gate.
	Reason v1beta1.Reason
	// Message is for people. It begins with the gate's name and a colon.
	Message string
}

func finding(reason v1beta1.Reason, message string, args ...any) Finding {
	return Finding{reason, fmt.Sprintf(message, args...)}
}

// Findings are what gates found in a measurement.
type Findings []Finding

// Messages returns the messages, in order.
func (f Findings) Messages() []string {
	var messages []string
	for _, one := range f {
		messages = append(messages, one.Message)
	}
	return messages
}

// Reasons returns the reasons, each once.
func (f Findings) Reasons() []v1beta1.Reason {
	var reasons []v1beta1.Reason
	for _, one := range f {
		if !slices.Contains(reasons, one.Reason) {
			reasons = append(reasons, one.Reason)
		}
	}
	return reasons
}
