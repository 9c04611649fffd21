package faults

import (
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// AddLatency adds to the effects the latency before the first fault, and that of the operations that were due while each of them lasted. Effects
// without an end, as of kills, stay as they are.
func AddLatency(effects []v1beta1.FaultEffect, log *measure.Log, kind v1beta1.LatencyKind) error {
	if len(effects) == 0 {
		return nil
	}
	at := func(micros int64) time.Time { return log.Start.Add(time.Duration(micros) * time.Microsecond) }
	first := effects[0].AtMicros
	for _, effect := range effects {
		first = min(first, effect.AtMicros)
	}
	before, err := measure.P99Before(log, kind, at(first))
	if err != nil {
		return err
	}
	for i := range effects {
		effect := &effects[i]
		if effect.ForMicros == nil {
			continue
		}
		effect.BeforeP99Millis = before
		if effect.DuringP99Millis, err = measure.P99Due(log, kind, at(effect.AtMicros), at(effect.AtMicros+*effect.ForMicros)); err != nil {
			return err
		}
	}
	return nil
}
