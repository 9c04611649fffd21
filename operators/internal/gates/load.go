package gates

import (
	"fmt"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
)

// What is judged of the load: whether it was the store's pace that was measured. What is not known of a load pod does not pass as nothing.

func loadCPU(e Evidence) []string {
	var out []string
	for _, part := range e.Parts {
		switch used := part.CPUUsedPermille; {
		case used == nil:
			out = append(out, fmt.Sprintf("load CPU: how much load pod %d used of the CPU it could get is not known", part.Index))
		case *used >= e.Gates.LoadCPULimit():
			out = append(out, fmt.Sprintf("load CPU: load pod %d used %s of the CPU it could get", part.Index, percent(*used)))
		}
	}
	return out
}

func loadWait(e Evidence) []string {
	var out []string
	for _, part := range e.Parts {
		switch waited := part.CPUWaitedPermille; {
		case waited == nil:
			out = append(out, fmt.Sprintf("load wait: how long load pod %d waited for a core is not known", part.Index))
		case *waited > e.Gates.LoadWaitLimit():
			out = append(out, fmt.Sprintf("load wait: load pod %d waited for a core %s of the time in which it wanted one", part.Index, percent(*waited)))
		}
	}
	return out
}

func throttling(e Evidence) []string {
	var out []string
	length := e.Result.FinishedAt.Sub(e.Result.StartedAt.Time)
	for _, part := range e.Parts {
		throttled := time.Duration(part.ThrottledMillis) * time.Millisecond
		switch {
		case part.CPUUsedPermille == nil: // both come from the container's cgroup
			out = append(out, fmt.Sprintf("throttling: how long load pod %d was held back by its CPU limit is not known", part.Index))
		case throttled > 0 && throttled*1000 > length*time.Duration(e.Gates.ThrottlingLimit()):
			out = append(out, fmt.Sprintf("throttling: load pod %d was held back by its CPU limit for %s", part.Index, throttled))
		}
	}
	return out
}

// targetRate holds a constant rate against what was asked for: response times of a load that fell behind are those of its backlog.
func targetRate(e Evidence) []string {
	asked := float64(e.Spec.TargetRate)
	if asked == 0 || e.Spec.Recovery != nil || len(e.Spec.Faults) > 0 { // nobody answers while the store is dead, and fewer while a node is
		return nil
	}
	reached, err := measure.Float(e.Result.OpRate)
	if err != nil {
		return []string{"target rate: " + err.Error()}
	}
	if e.Spec.Peer != "" {
		asked /= v1alpha1.DuetSides
	}
	if e.Gates.RateReached(reached, asked) {
		return nil
	}
	return []string{fmt.Sprintf("target rate: %s operations/s were answered, %s of the %g asked for", e.Result.OpRate, percent(int64(reached*1000/asked)), asked)}
}

func percent(permille int64) string { return fmt.Sprintf("%.1f%%", float64(permille)/10) }
