package faults

import (
	"math"
	"slices"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

const (
	// share of the earlier level that counts as equal to it
	share = 0.95
	// settled is the number of consecutive pieces whose mean must reach that share for a recovery. A store that answers intermittently has
	// not recovered.
	settled = 5
	// leastBefore is the least number of pieces for a level.
	leastBefore = 3
)

// Effects returns the effects of the faults on the answered operations, in the order of the phase's list. The pieces are the load's time in
// order, of about a second each. A figure that the pieces do not give is left out.
func Effects(m *v1beta1.Measurement, pieces []measure.Piece) []v1beta1.FaultEffect {
	known := slices.Clone(m.Status.Faults)
	slices.SortFunc(known, func(a, b v1beta1.FaultStatus) int { return moment(a).Compare(moment(b)) })
	if len(known) == 0 || len(pieces) == 0 {
		return nil
	}
	level, there := LevelBefore(pieces, moment(known[0]))
	var out []v1beta1.FaultEffect
	for i, f := range known {
		ordered := m.Spec.Faults[f.Index]
		effect := v1beta1.FaultEffect{Index: f.Index, Kind: ordered.Kind, Node: ordered.Node, Task: ordered.Task, AtMicros: moment(f).Sub(pieces[0].Start).Microseconds()}
		if f.UndoneAt != nil {
			effect.ForMicros = micros(f.UndoneAt.Sub(f.Moment()))
		}
		if f.ReadyAt != nil {
			effect.ReadyMicros = micros(f.ReadyAt.Sub(f.Moment()))
		}
		if there {
			effect.LevelOpRate = measure.Rate(level)
			until := pieces[len(pieces)-1].End
			if i+1 < len(known) {
				until = moment(known[i+1])
			}
			follow(&effect, after(pieces, moment(f), until), moment(f), level)
		}
		out = append(out, effect)
	}
	slices.SortFunc(out, func(a, b v1beta1.FaultEffect) int { return int(a.Index - b.Index) })
	return out
}

// moment returns the time from which the fault counts by the API server's clock, which the load's log has as well.
func moment(f v1beta1.FaultStatus) time.Time {
	return f.Moment().Add(-measure.ClockAhead(f.ClockOffsetMicros, f.ClockErrorMicros))
}

// LevelBefore returns the median rate of the whole pieces before a moment, in operations per second; false if there are too few pieces, or
// nothing was answered.
func LevelBefore(pieces []measure.Piece, moment time.Time) (level float64, there bool) {
	var rates []float64
	for _, p := range pieces {
		if !p.End.After(moment) {
			rates = append(rates, p.Rate())
		}
	}
	if len(rates) < leastBefore {
		return 0, false
	}
	slices.Sort(rates)
	return rates[len(rates)/2], rates[len(rates)/2] > 0
}

// after returns the pieces that overlap the time from a moment until another.
func after(pieces []measure.Piece, from, until time.Time) []measure.Piece {
	var out []measure.Piece
	for _, p := range pieces {
		if p.End.After(from) && p.Start.Before(until) {
			out = append(out, p)
		}
	}
	return out
}

// follow computes the effect of a fault from the pieces after it.
func follow(effect *v1beta1.FaultEffect, pieces []measure.Piece, from time.Time, level float64) {
	if len(pieces) == 0 {
		return
	}
	effect.Availability = availability(pieces, level)
	below := slices.IndexFunc(pieces, func(p measure.Piece) bool { return p.Rate() < share*level })
	if below < 0 {
		effect.RecoverMicros = micros(0) // no loss to recover from
		return
	}
	effect.DetectMicros = micros(pieces[below].End.Sub(from))
	for i := below + 1; i+settled <= len(pieces); i++ {
		if pieces[i].Rate() >= share*level && meanRate(pieces[i:i+settled]) >= share*level {
			effect.RecoverMicros = micros(pieces[i].Start.Sub(from))
			return
		}
	}
}

// availability returns the answered share of the level. Answers beyond the level of a piece do not compensate for others.
func availability(pieces []measure.Piece, level float64) v1beta1.Decimal {
	answered, due := 0.0, 0.0
	for _, p := range pieces {
		seconds := p.End.Sub(p.Start).Seconds()
		answered += math.Min(p.Rate(), level) * seconds
		due += level * seconds
	}
	return measure.Share(answered / due)
}

func meanRate(pieces []measure.Piece) float64 {
	operations, seconds := int64(0), 0.0
	for _, p := range pieces {
		operations += p.Operations
		seconds += p.End.Sub(p.Start).Seconds()
	}
	return float64(operations) / seconds
}

func micros(d time.Duration) *int64 {
	n := max(d, 0).Microseconds()
	return &n
}
