package textfmt

import (
	"math"
	"strconv"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Units formats a store's operations and latencies in the units of its chart: packets and microseconds for one store, operations and milliseconds for
// another. Files for programs (measurements.csv, manifests) always use milliseconds.
type Units struct{ of v1beta1.Units }

// UnitsOf returns the units of a run, which the operator copied from the store's chart; the defaults if there are none.
func UnitsOf(e *v1beta1.Experiment) Units {
	if e == nil || e.Status.Units == nil {
		return Units{}
	}
	return Units{*e.Status.Units}
}

// Named reports whether the store has its own name for operations.
func (u Units) Named() bool { return u.of.Operations != "" }

// Operations returns the word for operations, in the plural.
func (u Units) Operations() string {
	if u.Named() {
		return u.of.Operations
	}
	return "operations"
}

// PerSecond returns the unit of a rate of operations.
func (u Units) PerSecond() string {
	if u.Named() {
		return u.of.Operations + "/s"
	}
	return "op/s"
}

// Latency returns the symbol of the latency unit: ms or µs.
func (u Units) Latency() string {
	if u.of.Latency == v1beta1.LatencyMicros {
		return "µs"
	}
	return "ms"
}

// PerMilli returns the number of latency units in a millisecond.
func (u Units) PerMilli() float64 {
	if u.of.Latency == v1beta1.LatencyMicros {
		return float64(time.Millisecond / time.Microsecond)
	}
	return 1
}

// FromMillis converts a latency in milliseconds to the latency unit. Figures in any other unit stay the same.
func (u Units) FromMillis(value float64, unit string) float64 {
	if unit != Millis {
		return value
	}
	return value * u.PerMilli()
}

// Millis is the unit of every latency in files.
const Millis = "ms"

// Sign returns the unit in which figures of a unit of files are shown: the store's own for latencies.
func (u Units) Sign(unit string) string {
	if unit != Millis {
		return unit
	}
	return u.Latency()
}

// Title returns the title of a column in the store's own unit: 95TH µs for 95TH MS.
func (u Units) Title(title string) string {
	if u.of.Latency != v1beta1.LatencyMicros {
		return title
	}
	return strings.Replace(title, " MS", " µs", 1)
}

// Printed returns a published number as printed, or converted if the store's own unit differs from that of files.
func (u Units) Printed(text, unit string) string {
	value, err := strconv.ParseFloat(text, 64)
	if unit != Millis || u.PerMilli() == 1 || err != nil {
		return text
	}
	return u.Format(value)
}

// Format formats a latency given in milliseconds: three decimals of milliseconds, one of microseconds.
func (u Units) Format(value float64) string {
	decimals := 3
	if u.of.Latency == v1beta1.LatencyMicros {
		decimals = 1
	}
	if math.IsNaN(value) {
		return ""
	}
	return strconv.FormatFloat(value*u.PerMilli(), 'f', decimals, 64)
}
