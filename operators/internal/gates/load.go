package gates

import (
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Gates of the load generator: whether the store, not the load, was the bottleneck. Missing data of a load pod fails the gate.

func loadCPU(e Evidence) Findings {
	var out Findings
	for _, part := range e.Parts {
		switch used := part.CPUUsedPermille; {
		case used == nil:
			out = append(out, finding(v1beta1.GateLoadCPUUnknown, "load CPU: the CPU use of load pod %d is not known", part.Index))
		case *used >= e.Gates.LoadCPULimit():
			out = append(out, finding(v1beta1.GateLoadCPUSaturated, "load CPU: load pod %d used %s of its available CPU", part.Index, percent(*used)))
		}
	}
	return out
}

func loadWait(e Evidence) Findings {
	var out Findings
	for _, part := range e.Parts {
		switch waited := part.CPUWaitedPermille; {
		case waited == nil:
			out = append(out, finding(v1beta1.GateLoadWaitUnknown, "load wait: the time that load pod %d waited for a core is not known", part.Index))
		case *waited > e.Gates.LoadWaitLimit():
			out = append(out, finding(v1beta1.GateLoadWaited, "load wait: load pod %d waited for a core %s of the time in which it was runnable", part.Index, percent(*waited)))
		}
	}
	return out
}

func throttling(e Evidence) Findings {
	var out Findings
	length := e.Result.FinishedAt.Sub(e.Result.StartedAt.Time)
	for _, part := range e.Parts {
		throttled := time.Duration(part.ThrottledMillis) * time.Millisecond
		switch {
		case part.CPUUsedPermille == nil: // both come from the container's cgroup
			out = append(out, finding(v1beta1.GateLoadThrottlingUnknown, "throttling: the time that its CPU limit throttled load pod %d is not known", part.Index))
		case throttled > 0 && throttled*1000 > length*time.Duration(e.Gates.ThrottlingLimit()):
			out = append(out, finding(v1beta1.GateLoadThrottled, "throttling: its CPU limit throttled load pod %d for %s", part.Index, throttled))
		}
	}
	return out
}

// targetRate compares the answered rate with the target rate: response times of a load that fell behind are those of its backlog.
func targetRate(e Evidence) Findings {
	asked := float64(e.Spec.TargetRate)
	if asked == 0 || e.Spec.Recovery != nil || len(e.Spec.Faults) > 0 { // a killed store answers nothing, and one that lost a node less
		return nil
	}
	reached, err := measure.Float(e.Result.OpRate)
	if err != nil {
		return Findings{finding(v1beta1.GateTargetRateUnknown, "target rate: %s", err)}
	}
	if e.Spec.Peer != "" {
		asked /= v1beta1.DuetSides
	}
	if e.Gates.RateReached(reached, asked) {
		return nil
	}
	return Findings{finding(v1beta1.GateTargetRateMissed, "target rate: %s operations/s were answered, %s of the target %g", e.Result.OpRate, percent(int64(reached*1000/asked)), asked)}
}

func percent(permille int64) string { return textfmt.Percent(float64(permille)/1000, 1) }
