package measure

import (
	"errors"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Rest returns the result of an idle phase: only what the store's processes used.
func Rest(log *Log) (v1beta1.Result, error) {
	if log.OperationCount() > 0 {
		return v1beta1.Result{}, errors.New("the log of an idle phase has operations")
	}
	cpu := storeCPU(log)
	if cpu != nil {
		cpu.IdleCores = idleCores(log.Counters)
	}
	none := Rate(0)
	return v1beta1.Result{
		OpRate: none, KeyRate: none, OpRateMid80: none, KeyRateMid80: none,
		OperationSeconds: Seconds(log.Length()),
		StartedAt:        metav1.NewMicroTime(log.Start),
		FinishedAt:       metav1.NewMicroTime(log.End),
		LatencyKind:      v1beta1.LatencyService, // the schema requires one, and a list of latencies
		Latencies:        []v1beta1.Latency{},
		StoreCPU:         cpu,
	}, nil
}

// idleCores returns CPU time divided by elapsed time, over the known windows; empty if there are none.
func idleCores(all []Counters) v1beta1.Decimal {
	var used, took int64
	for _, c := range all {
		if nanos, told := c.Values[CPUCounter]; told && c.Unknown == 0 {
			used, took = used+nanos, took+c.End.Sub(c.Start).Nanoseconds()
		}
	}
	if took == 0 {
		return ""
	}
	return Cores(float64(used) / float64(took))
}

// Cores formats a number of cores with four decimals.
func Cores(n float64) v1beta1.Decimal { return v1beta1.Decimal(strconv.FormatFloat(n, 'f', 4, 64)) }
