package gates

import (
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// clockLimit is how much clocks may differ without a word: a tenth of the seconds in which the cost of faults is read.
const clockLimit = 100 * time.Millisecond

// clocks warns where the times of faults and of the load come from clocks that differ or cannot be compared. They are corrected as far as the
// differences are known.
func clocks(e Evidence) Findings {
	if len(e.Faults) == 0 {
		return nil
	}
	var out Findings
	check := func(whose string, offsetMicros, errorMicros *int64) {
		switch {
		case offsetMicros == nil || errorMicros == nil || micros(*errorMicros) > clockLimit:
			out = append(out, finding(v1beta1.GateClockUnknown, "clocks: %s cannot be compared with that of the API server: what the faults cost may be placed wrongly", whose))
		case micros(*offsetMicros).Abs() > clockLimit:
			out = append(out, finding(v1beta1.GateClocksDiffer, "clocks: %s is off by %s: the times of faults are corrected; synchronize the clocks of the nodes", whose, micros(*offsetMicros).Round(time.Millisecond)))
		}
	}
	for _, part := range e.Parts {
		check("the clock of load pod "+part.Pod, part.ClockOffsetMicros, part.ClockErrorMicros)
	}
	for _, fault := range e.Faults {
		whose := "the clock of store pod " + fault.Pod
		if !e.Spec.Faults[fault.Index].Kind.Timed() {
			whose = "the operator's clock"
		}
		if fault.Failure == "" {
			check(whose, fault.ClockOffsetMicros, fault.ClockErrorMicros)
		}
	}
	return out
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
