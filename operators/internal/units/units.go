// Package units is in what a store's operations and latencies are told to people: packets and microseconds for one, operations and
// milliseconds for the next, as its chart says. Files for programs (measurements.csv, manifests) always have milliseconds.
package units

import (
	"math"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// Units of a run.
type Units struct{ of v1alpha1.Units }

// Of a run, as the operator took them from the store's chart; those of all stores where it took none.
func Of(e *v1alpha1.Experiment) Units {
	if e == nil || e.Status.Units == nil {
		return Units{}
	}
	return Units{*e.Status.Units}
}

// Named says whether the store has a word of its own for its operations.
func (u Units) Named() bool { return u.of.Operations != "" }

// Operations in the plural.
func (u Units) Operations() string {
	if u.Named() {
		return u.of.Operations
	}
	return "operations"
}

// PerSecond of operations, as a word.
func (u Units) PerSecond() string {
	if u.Named() {
		return u.of.Operations + "/s"
	}
	return "op/s"
}

// Latency is the unit's sign: ms or µs.
func (u Units) Latency() string {
	if u.of.Latency == v1alpha1.LatencyMicros {
		return "µs"
	}
	return "ms"
}

// PerMilli is how many of the unit a millisecond has.
func (u Units) PerMilli() float64 {
	if u.of.Latency == v1alpha1.LatencyMicros {
		return float64(time.Millisecond / time.Microsecond)
	}
	return 1
}

// FromMillis is a latency in milliseconds as a number of the unit. What is in no unit of time stays.
func (u Units) FromMillis(value float64, unit string) float64 {
	if unit != Millis {
		return value
	}
	return value * u.PerMilli()
}

// Millis is the unit of every latency in files.
const Millis = "ms"

// Sign is what figures in a unit of files are told in: the store's own for latencies.
func (u Units) Sign(unit string) string {
	if unit != Millis {
		return unit
	}
	return u.Latency()
}

// Title of a column that files have in milliseconds: 95TH MS as 95TH µs.
func (u Units) Title(title string) string {
	if u.of.Latency != v1alpha1.LatencyMicros {
		return title
	}
	return strings.Replace(title, " MS", " µs", 1)
}

// Printed is a published number as it was printed, which was in a unit of files; another unit of ours takes it as a number.
func (u Units) Printed(text, unit string) string {
	value, err := strconv.ParseFloat(text, 64)
	if unit != Millis || u.PerMilli() == 1 || err != nil {
		return text
	}
	return u.Format(value)
}

// Format writes a latency in milliseconds as tables have it: three decimals of milliseconds, one of microseconds.
func (u Units) Format(value float64) string {
	decimals := 3
	if u.of.Latency == v1alpha1.LatencyMicros {
		decimals = 1
	}
	if math.IsNaN(value) {
		return ""
	}
	return strconv.FormatFloat(value*u.PerMilli(), 'f', decimals, 64)
}
