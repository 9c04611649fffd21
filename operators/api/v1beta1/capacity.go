package v1beta1

import (
	"fmt"
	"math"
	"strconv"
)

// Objective describes the objective, as in p99.9 <= 20ms.
func (c *CapacitySpec) Objective() string {
	if c.By == ByQueue {
		return "a queue that does not grow"
	}
	return fmt.Sprintf("p%s <= %s", c.Percentile, c.Bound.Duration)
}

// Nearest returns the number, from 1, of the step whose figures represent the capacity: of the steps that met the objective (or of all, if
// none did), the one whose rate is nearest to the capacity; the later one of two. Steps without an answer have no figures. 0 means none.
func (c *Capacity) Nearest() int {
	best, bestKept, distance := 0, false, math.Inf(1)
	for i, step := range c.Steps {
		if step.Operations == 0 {
			continue
		}
		d := math.Abs(math.Log(float64(step.Rate) / float64(max(c.Rate, 1))))
		if best == 0 || step.Kept && !bestKept || step.Kept == bestKept && d <= distance {
			best, bestKept, distance = i+1, step.Kept, d
		}
	}
	return best
}

// Resolution returns the share of a step's rate by which the queue may have grown undetected. It is known only for a search with by: Queue.
func (s CapacityStep) Resolution() (share float64, known bool) {
	most, err := strconv.ParseFloat(string(s.QueueGrowthMost), 64)
	if err != nil || s.Rate <= 0 {
		return 0, false
	}
	return max(most, 0) / float64(s.Rate), true
}

// Above reports whether the capacity is above all rates of the search: every step met the objective, or the search ended at the highest rate
// allowed.
func (c *Capacity) Above(to int64) bool {
	if len(c.Steps) == 0 {
		return false
	}
	last := c.Steps[len(c.Steps)-1]
	return c.kept() == len(c.Steps) || to > 0 && last.Kept && last.Rate >= to
}

// Below reports whether the capacity is below all rates of the search.
func (c *Capacity) Below() bool { return c.Rate == 0 || c.kept() == 0 }

func (c *Capacity) kept() int {
	n := 0
	for _, step := range c.Steps {
		if step.Kept {
			n++
		}
	}
	return n
}
