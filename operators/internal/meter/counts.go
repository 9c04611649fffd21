package meter

import (
	"cmp"
	"fmt"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// Counts holds a pod's operations by its log and its tool.
type Counts struct {
	Operations, Errors, Keys, Unanswered, NotBegun int64
	Outcomes                                       []v1beta1.Outcome
	// ErrorsByKind counts the failed operations by kind; their sum is Errors.
	ErrorsByKind []v1beta1.ErrorCount
	// Capacity is the result of a search; nil if there was none.
	Capacity *v1beta1.Capacity
	// Recovery of a store that was killed; nil if it was not.
	Recovery *v1beta1.Recovery
	// Doubt describes inconsistent counts; empty if there are none. It makes a measurement invalid.
	Doubt string
}

// doubt adds an inconsistency, if it is not empty.
func (c *Counts) doubt(what string) {
	if c.Doubt != "" && what != "" {
		what = c.Doubt + "; " + what
	}
	c.Doubt = cmp.Or(what, c.Doubt)
}

// reconcile compares the log with the tool's counts and with the orders.
func reconcile(logged int64, s summary, share orders.Share) Counts {
	c := Counts{Operations: logged, Errors: s.errors, Keys: s.keys, Unanswered: s.unanswered, NotBegun: s.notBegun, Outcomes: s.outcomeList(), ErrorsByKind: s.kinds(),
		Capacity: s.search.found(), Recovery: s.recovery.found()}
	switch {
	case !s.told:
	case logged == s.operations+s.loggedErrors && s.loggedErrors <= s.errors:
		c.Operations = s.operations
	default:
		c.Doubt = fmt.Sprintf("the log has %d operations, but the load tool counted %d answered and %d failed, of which it logged %d", logged, s.operations, s.errors, s.loggedErrors)
		return c
	}
	if share.Operations > 0 && share.DurationSeconds == 0 && c.Operations+c.Errors+c.Unanswered != share.Operations {
		c.Doubt = fmt.Sprintf("%d operations were ordered, %d were answered and %d failed", share.Operations, c.Operations, c.Errors)
		if c.Unanswered > 0 {
			c.Doubt += fmt.Sprintf(", and %d neither", c.Unanswered)
		}
	}
	if c.Doubt == "" {
		c.Doubt = cmp.Or(s.doubt(), s.kindsDoubt(), s.search.doubt(s.operations), s.recovery.doubt())
	}
	return c
}
