package results

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// Fault is a fault of one store node during a phase.
type Fault struct {
	Kind v1beta1.FaultKind
	// Task is the task of a fault of kind Maintain.
	Task string
	Node int
	// At is the time of the fault since the row's start; Ready is the time from the fault until the node was ready again.
	At    time.Duration
	Ready Optional[time.Duration]
}

// Faults holds the faults of a row and their effects; empty if there were none.
type Faults struct {
	List []Fault
	// Availability is the share of the earlier rate that was answered after the fault. Of several faults, it is that of the worst.
	Availability Optional[float64]
	// Detect is the time until less than 95% of the earlier rate was answered, Recover until it was answered again, Ready until the node
	// was ready. Of several faults, each is that of the worst.
	Detect, Recover, Ready Optional[time.Duration]
	// Means over all faults, since each is an equally good sample of a fault's cost. Lost is the unanswered part of the earlier rate, in
	// seconds of that rate: at 4,000/s, 3 s are 12,000 operations. Unlike a share, it does not shrink in a longer phase.
	Lost, MeanDetect, MeanRecover Optional[time.Duration]
	// BeforeP99 and DuringP99 are 99th percentiles of latency before the first fault and during the fault. Of several faults, the latter is
	// that of the worst.
	BeforeP99, DuringP99 Optional[time.Duration]
}

// Name returns the kind of the fault and, after a hyphen, its task.
func (f Fault) Name() string {
	if f.Task == "" {
		return f.Kind.String()
	}
	return f.Kind.String() + "-" + f.Task
}

// fill copies the effects of faults on a load of the given duration. If one fault has no time to recover or to become ready, that of the
// worst fault is unknown. A mean is unknown if one of its values is.
func (f *Faults) fill(effects []v1beta1.FaultEffect, lasted time.Duration) {
	var lost, detected, back []Optional[time.Duration]
	recovered, ready := true, true
	for _, effect := range effects {
		fault := Fault{Kind: effect.Kind, Task: effect.Task, Node: int(effect.Node), At: time.Duration(effect.AtMicros) * time.Microsecond, Ready: ofMicros(effect.ReadyMicros)}
		f.List = append(f.List, fault)
		if answered := rounded(effect.Availability, share()); answered.Known && (!f.Availability.Known || answered.Value < f.Availability.Value) {
			f.Availability = answered
		}
		lost, detected, back = append(lost, lostTo(effect, effects, lasted)), append(detected, ofMicros(effect.DetectMicros)), append(back, ofMicros(effect.RecoverMicros))
		f.Detect = longer(f.Detect, ofMicros(effect.DetectMicros))
		f.Recover = longer(f.Recover, ofMicros(effect.RecoverMicros))
		f.Ready = longer(f.Ready, fault.Ready)
		f.BeforeP99 = rounded(effect.BeforeP99Millis, milliseconds())
		f.DuringP99 = longer(f.DuringP99, rounded(effect.DuringP99Millis, milliseconds()))
		recovered, ready = recovered && effect.RecoverMicros != nil, ready && effect.ReadyMicros != nil
	}
	if !recovered {
		f.Recover = Optional[time.Duration]{}
	}
	if !ready {
		f.Ready = Optional[time.Duration]{}
	}
	f.Lost, f.MeanDetect, f.MeanRecover = meanOf(lost), meanOf(detected), meanOf(back)
}

// lostTo returns the loss of a fault until the next fault or the load's end, in seconds of the rate before the first fault.
func lostTo(effect v1beta1.FaultEffect, all []v1beta1.FaultEffect, lasted time.Duration) Optional[time.Duration] {
	until := lasted.Microseconds()
	for _, other := range all {
		if other.AtMicros > effect.AtMicros {
			until = min(until, other.AtMicros)
		}
	}
	answered := rounded(effect.Availability, share())
	if !answered.Known || until <= effect.AtMicros {
		return Optional[time.Duration]{}
	}
	return Some(time.Duration((1 - answered.Value) * float64(until-effect.AtMicros) * float64(time.Microsecond)).Round(time.Millisecond))
}

// meanOf returns the mean of durations; unknown if one is unknown or there are none.
func meanOf(all []Optional[time.Duration]) Optional[time.Duration] {
	sum := time.Duration(0)
	for _, one := range all {
		if !one.Known {
			return Optional[time.Duration]{}
		}
		sum += one.Value
	}
	if len(all) == 0 {
		return Optional[time.Duration]{}
	}
	return Some((sum / time.Duration(len(all))).Round(time.Millisecond))
}

func ofMicros(n *int64) Optional[time.Duration] {
	if n == nil {
		return Optional[time.Duration]{}
	}
	return Some(time.Duration(*n) * time.Microsecond)
}

func longer(a, b Optional[time.Duration]) Optional[time.Duration] {
	if !a.Known || b.Known && b.Value > a.Value {
		return b
	}
	return a
}

// faults is the codec of faults in one cell: kill:1@30.215+41.300 is node 1, killed 30.215 s after the row's start, and ready again 41.3 s
// later; maintain-repair:1@30.215+41.300 is a repair by node 1 that ended 41.3 s later.
func faults() codec[[]Fault] {
	format := seconds(3)
	return codec[[]Fault]{
		encode: func(v []Fault) string {
			words := make([]string, len(v))
			for i, fault := range v {
				words[i] = fmt.Sprintf("%s:%d@%s", fault.Name(), fault.Node, format.encode(fault.At))
				if fault.Ready.Known {
					words[i] += "+" + format.encode(fault.Ready.Value)
				}
			}
			return strings.Join(words, " ")
		},
		decode: func(s string) ([]Fault, error) {
			var out []Fault
			for word := range strings.FieldsSeq(s) {
				fault, err := faultOf(word, format)
				if err != nil {
					return nil, notA(err, word, "fault, as in kill:1@30.215+41.300")
				}
				out = append(out, fault)
			}
			return out, nil
		},
	}
}

func faultOf(word string, format codec[time.Duration]) (Fault, error) {
	name, rest, found := strings.Cut(word, ":")
	kind, task, _ := strings.Cut(name, "-")
	node, rest, there := strings.Cut(rest, "@")
	at, ready, back := strings.Cut(rest, "+")
	number, err := strconv.Atoi(node)
	if !found || !there {
		err = errors.New("no node and no moment")
	}
	known, _ := oneOf(v1beta1.FaultKinds()).decode(kind) // never an error
	fault := Fault{Kind: known, Task: task, Node: number}
	if err == nil {
		fault.At, err = format.decode(at)
	}
	if err == nil && back {
		fault.Ready.Known = true
		fault.Ready.Value, err = format.decode(ready)
	}
	return fault, err
}

// share is the codec of a fraction of 1, with four decimals.
func share() codec[float64] {
	format := func(v float64) string { return string(measure.Share(v)) }
	return codec[float64]{encode: format, decode: number, number: func(v float64) float64 { return v }, format: format}
}
