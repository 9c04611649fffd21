// Package helper is what the operator and a fault's helper say to each other: the order, as the arguments of its container, and its report, as
// the container's last words. It is pure.
package helper

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Order of one fault to the helper that is in the pod to be hit. It acts by its node's clock, with or without an operator.
type Order struct {
	Kind v1alpha1.FaultKind
	At   time.Time
	For  time.Duration
}

// Late is how much later than it was due a fault may begin: what it interrupts, and what is left of the phase, are others then. A helper that
// comes later does nothing.
const Late = 5 * time.Second

// Usage of a helper's command.
const Usage = "fault pause|cut --at=<moment, as in 2026-11-24T02:40:00.25Z> --for=<time, as in 10s>"

const (
	atFlag  = "--at="
	forFlag = "--for="
)

// Args of the command that carries the order out.
func (o Order) Args() []string {
	return []string{string(o.Kind), atFlag + o.At.UTC().Format(time.RFC3339Nano), forFlag + o.For.String()}
}

// Until when the order keeps its pod at the latest.
func (o Order) Until() time.Time { return o.At.Add(Late).Add(o.For) }

// ParseArgs reads the order that a command was given.
func ParseArgs(args []string) (Order, error) {
	if len(args) != 3 || !strings.HasPrefix(args[1], atFlag) || !strings.HasPrefix(args[2], forFlag) {
		return Order{}, fmt.Errorf("usage: %s", Usage)
	}
	o := Order{Kind: v1alpha1.FaultKind(args[0])}
	if !o.Kind.Timed() {
		return Order{}, fmt.Errorf("a helper does no %q; usage: %s", args[0], Usage)
	}
	var err error
	if o.At, err = time.Parse(time.RFC3339Nano, strings.TrimPrefix(args[1], atFlag)); err != nil {
		return Order{}, fmt.Errorf("%s is no moment; usage: %s", args[1], Usage)
	}
	if o.For, err = time.ParseDuration(strings.TrimPrefix(args[2], forFlag)); err != nil || o.For <= 0 {
		return Order{}, fmt.Errorf("%s is no time; usage: %s", args[2], Usage)
	}
	return o, nil
}

// Report of a helper that has ended.
type Report struct {
	// BeganAt is when nothing moved, or passed, any more, UndoneAt when it was let go, by the node's clock.
	BeganAt  time.Time `json:"beganAt,omitzero"`
	UndoneAt time.Time `json:"undoneAt,omitzero"`
	// Error says why it was not done, or not for its time; empty where it was.
	Error string `json:"error,omitempty"`
}

// String is the report as a container's last words.
func (r Report) String() string {
	text, err := json.Marshal(r)
	if err != nil { // times beyond the year 9999
		return `{"error":"the report could not be written"}`
	}
	return string(text)
}

// ParseReport reads a container's last words.
func ParseReport(message string) (Report, error) {
	var r Report
	if err := json.Unmarshal([]byte(message), &r); err != nil {
		return Report{}, fmt.Errorf("read the report of a fault's helper: %w", err)
	}
	return r, nil
}
