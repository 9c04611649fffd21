package v1alpha1

import (
	"fmt"
	"math"
	"strconv"
)

// Objective in words: p99.9 <= 20ms.
func (c *CapacitySpec) Objective() string {
	if c.By == ByQueue {
		return "a queue that does not grow"
	}
	return fmt.Sprintf("p%s <= %s", c.Percentile, c.Bound.Duration)
}

// Nearest is the number, from 1, of the step whose figures stand for the capacity: of those that kept the objective the one whose rate
// is nearest to it, the later of two; of all steps where none kept it. Steps without an answer have no figures. 0 is none.
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

// Resolution is the share of a step's rate by which the queue could have grown without being seen, and whether it is known: only of a
// search by the queue.
func (s CapacityStep) Resolution() (share float64, known bool) {
	most, err := strconv.ParseFloat(string(s.QueueGrowthMost), 64)
	if err != nil || s.Rate <= 0 {
		return 0, false
	}
	return max(most, 0) / float64(s.Rate), true
}

// Above says that the capacity lies above all that was tried: every rate was kept, or the search ended at the highest that it may try.
func (c *Capacity) Above(to int64) bool {
	if len(c.Steps) == 0 {
		return false
	}
	last := c.Steps[len(c.Steps)-1]
	return c.kept() == len(c.Steps) || to > 0 && last.Kept && last.Rate >= to
}

// Below says that it lies below all that was tried.
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
