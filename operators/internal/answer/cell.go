package answer

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// notKnown stands for a figure that is not known.
const notKnown = "not known"

// cellOf one comparison. An effect without an interval is printed without one: too few rounds are no verdict.
func cellOf(c *compare.Comparison) Cell {
	if math.IsNaN(c.Ratio) {
		return Cell{Text: notKnown, Mark: markOf(c)}
	}
	if c.Difference {
		text := c.Effect()
		if from, to, known := c.Interval(); known {
			text += " [" + number(from) + ", " + number(to) + "]"
		}
		return Cell{Text: text, Mark: markOf(c)}
	}
	digits := decimals(c)
	text := strconv.FormatFloat(c.Ratio, 'f', digits, 64)
	if c.Known() {
		text += fmt.Sprintf(" [%.*f, %.*f]", digits, c.Low, digits, c.High)
	}
	return Cell{Text: text, Mark: markOf(c)}
}

// number is a difference without its unit, which stands once in a cell.
func number(text string) string {
	figure, _, _ := strings.Cut(text, " ")
	return figure
}

// narrow is the half-width below which a third decimal of a ratio is significant.
const narrow = 0.03

func decimals(c *compare.Comparison) int {
	if c.Known() && (c.High-c.Low)/2 < narrow {
		return 3
	}
	return 2
}

// figure is a value of the baseline with its unit, in three digits or all before the point.
func figure(metric compare.Metric, value float64, in textfmt.Units) string {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return notKnown
	}
	unit := metric.Unit()
	if unit == "1/s" && metric.Name != compare.Capacity {
		unit = in.PerSecond()
	}
	return strings.TrimSpace(threeDigits(metric.Shown(value)) + " " + unit)
}

func threeDigits(value float64) string { return digits(value, 3) }

// digits formats a value with so many significant digits, or all before the point.
func digits(value float64, count int) string {
	magnitude := 0
	if value != 0 {
		magnitude = int(math.Floor(math.Log10(math.Abs(value))))
	}
	return strconv.FormatFloat(value, 'f', min(max(count-1-magnitude, 0), 6), 64)
}

// sweepCell counts a server's verdicts over the loads of a sweep: 5 better, 2 unresolved of 7; 0.98 to 1.31.
func sweepCell(result *compare.Result, sweeps []compare.Sweep, load, server string) Cell {
	var counts [Unresolved + 1]int
	var low, high *compare.Comparison
	of := 0
	for i := range result.Comparisons {
		c := &result.Comparisons[i]
		if !c.Primary || c.Server != server || !swept(sweeps, load, c.Cell) {
			continue
		}
		of++
		counts[markOf(c)]++
		if math.IsNaN(c.Ratio) {
			continue
		}
		if low == nil || c.Ratio < low.Ratio {
			low = c
		}
		if high == nil || c.Ratio > high.Ratio {
			high = c
		}
	}
	if low == nil {
		return Cell{Text: notKnown, Mark: Unresolved}
	}
	text := rangeOf(low, high)
	for _, mark := range []Mark{Better, Worse, Equivalent, Unresolved} {
		switch counts[mark] {
		case 0:
		case of:
			return Cell{Text: text, Mark: mark}
		default:
			text += fmt.Sprintf(", %d %s", counts[mark], words[mark])
		}
	}
	return Cell{Text: text}
}

// rangeOf the effects between two: 0.98 to 1.31, or +1.200 to +3.400 s.
func rangeOf(low, high *compare.Comparison) string {
	if low.Difference {
		return number(low.Effect()) + " to " + high.Effect()
	}
	return fmt.Sprintf("%.2f to %.2f", low.Ratio, high.Ratio)
}

func swept(sweeps []compare.Sweep, load string, cell compare.Cell) bool {
	for _, s := range sweeps {
		if s.Holds(cell) {
			return s.Name(sweeps) == load
		}
	}
	return false
}
