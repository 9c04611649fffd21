package measure

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func responses(operation string) Tag {
	return Tag{Operation: operation, Kind: v1beta1.LatencyResponse}
}

// searching returns a log of three steps of one second each, with a gap before the last.
func searching(t *testing.T) *Log {
	t.Helper()
	ms := func(n, value int) []int64 {
		values := make([]int64, n)
		for i := range values {
			values[i] = int64(value) * 1_000_000
		}
		return values
	}
	return windowedLog([]Interval{
		interval(t, 0, 1, responses("READ@1"), ms(100, 2)...), interval(t, 0, 1, service("READ@1"), ms(100, 1)...),
		interval(t, 1, 2, responses("READ@2"), ms(150, 90)...), interval(t, 1, 2, service("READ@2"), ms(150, 40)...),
		interval(t, 3, 4, responses("READ@3"), ms(120, 5)...), interval(t, 3, 4, service("READ@3"), ms(120, 4)...),
	})
}

func found(rate int64, steps ...v1beta1.CapacityStep) *v1beta1.Capacity {
	return &v1beta1.Capacity{Rate: rate, Settled: true, Steps: steps}
}

func TestFiguresOfASearchAreThoseOfTheStepNearestToTheCapacity(t *testing.T) {
	capacity := found(130,
		v1beta1.CapacityStep{Rate: 100, Operations: 100, Kept: true},
		v1beta1.CapacityStep{Rate: 200, Operations: 150, Errors: 7},
		v1beta1.CapacityStep{Rate: 120, Operations: 120, Unanswered: 2, Kept: true})
	r, err := Summarize([]PodLog{{Log: searching(t), Operations: 370, Errors: 7, Unanswered: 2, Capacity: capacity}})
	require.NoError(t, err)
	assert.Equal(t, capacity, r.Capacity)
	assert.Equal(t, int64(120), r.Operations)
	assert.Equal(t, int64(2), r.Unanswered)
	assert.Zero(t, r.Errors, "those of another step are not these figures'")
	assert.Equal(t, v1beta1.Decimal("120.0"), r.OpRate)
	assert.Equal(t, v1beta1.LatencyResponse, r.LatencyKind)
	assert.Equal(t, v1beta1.Decimal("5.001"), r.Latencies[0].MedianMillis)
	assert.True(t, r.StartedAt.Time.Equal(at(3)))
}

func TestASearchWhoseLogContradictsItsStepsIsRefused(t *testing.T) {
	log := searching(t)
	_, err := Summarize([]PodLog{{Log: log, Capacity: found(100, v1beta1.CapacityStep{Rate: 100, Operations: 99, Kept: true})}})
	assert.ErrorContains(t, err, "the log has 100 operations of step 1 of the search, but the load tool counted 99")
	_, err = Summarize([]PodLog{{Log: log, Capacity: found(0, v1beta1.CapacityStep{Rate: 100})}})
	assert.ErrorContains(t, err, "no operation was answered in any step")
	two := PodLog{Log: log, Capacity: found(100, v1beta1.CapacityStep{Rate: 100, Operations: 100, Kept: true})}
	_, err = Summarize([]PodLog{two, two})
	assert.ErrorContains(t, err, "one load pod")
}

func TestTellsAStepFromAnOperationOfThatName(t *testing.T) {
	for operation, want := range map[string]struct {
		operation string
		step      int
	}{"READ@3": {"READ", 3}, "READ": {"READ", 0}, "a@b": {"a@b", 0}, "READ@0": {"READ@0", 0}} {
		tag, step := service(operation).Step()
		assert.Equal(t, want.operation, tag.Operation)
		assert.Equal(t, want.step, step, operation)
	}
}
