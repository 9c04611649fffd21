package measure

import (
	"math"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// bytesOf returns the byte counters at one moment.
func bytesOf(put, got, written, read int64) map[string]int64 {
	return map[string]int64{"put_bytes": put, "got_bytes": got, "written_bytes": written, "read_bytes": read}
}

func TestWorksOutWhatTheLoadMadeTheStoreWriteAndRead(t *testing.T) {
	r, err := Summarize([]PodLog{{Log: steady(t, 0, 1, 20, 500), Readings: &v1beta1.StoreReadings{
		Before: bytesOf(1000, 500, 8000, 100), After: bytesOf(301_000, 400_500, 1_008_000, 100_100), Sizes: map[string]int64{"live_bytes": 80_000, "disk_bytes": 100_000},
	}}})
	require.NoError(t, err)
	assert.Equal(t, &v1beta1.StoreIO{
		PutBytes: new(int64(300_000)), GotBytes: new(int64(400_000)), WrittenBytes: new(int64(1_000_000)), ReadBytes: new(int64(100_000)),
		LiveBytes: new(int64(80_000)), DiskBytes: new(int64(100_000)),
		WriteAmplification: "3.333", ReadAmplification: "0.250", SpaceAmplification: "1.250", WrittenPerOp: "100.0",
	}, r.StoreIO)
}

func TestSaysNothingOfWhatAStoreDoesNotTell(t *testing.T) {
	of := func(before, after, sizes map[string]int64) *v1beta1.StoreIO {
		return storeIO([]PodLog{{Log: steady(t, 0, 1, 1, 10), Readings: &v1beta1.StoreReadings{Before: before, After: after, Sizes: sizes}}})
	}
	told := map[string]int64{"written_bytes": 5}
	assert.Equal(t, &v1beta1.StoreIO{WrittenBytes: new(int64(0))}, of(told, told, nil), "nothing was written, which is a figure")
	assert.Equal(t, &v1beta1.StoreIO{PutBytes: new(int64(0)), WrittenBytes: new(int64(7))},
		of(map[string]int64{"put_bytes": 9, "written_bytes": 0}, map[string]int64{"put_bytes": 9, "written_bytes": 7}, nil), "no byte was put: it has no amplification")
	assert.Equal(t, &v1beta1.StoreIO{PutBytes: new(int64(1))},
		of(map[string]int64{"put_bytes": 1, "written_bytes": 9}, map[string]int64{"put_bytes": 2, "written_bytes": 3}, nil), "it began again")
	assert.Nil(t, of(map[string]int64{"put_bytes": 2}, map[string]int64{"put_bytes": 1}, nil))
	assert.Equal(t, &v1beta1.StoreIO{WrittenBytes: new(int64(0)), DiskBytes: new(int64(4))}, of(told, told, map[string]int64{"disk_bytes": 4}))
	assert.Nil(t, storeIO([]PodLog{{Log: steady(t, 0, 1, 1, 10)}}))
}

// The second pod's clock is ten seconds ahead: it began second, and ended first.
func TestSeveralLoadPodsSpanWhatTheStoreDidForAllOfThem(t *testing.T) {
	first := PodLog{Log: steady(t, 0, 1, 20, 10), Readings: &v1beta1.StoreReadings{
		Before: bytesOf(0, 0, 100, 0), After: bytesOf(1000, 0, 2100, 0), Sizes: map[string]int64{"live_bytes": 10, "disk_bytes": 30}}}
	second := PodLog{Log: steady(t, 11, 1, 15, 10), Ahead: 10 * time.Second, Readings: &v1beta1.StoreReadings{
		Before: bytesOf(40, 0, 150, 0), After: bytesOf(900, 0, 1900, 0), Sizes: map[string]int64{"live_bytes": 9, "disk_bytes": 99}}}
	for _, pods := range [][]PodLog{{first, second}, {second, first}} {
		io := storeIO(pods)
		require.NotNil(t, io)
		assert.Equal(t, int64(1000), *io.PutBytes)
		assert.Equal(t, int64(2000), *io.WrittenBytes)
		assert.Equal(t, v1beta1.Decimal("3.000"), io.SpaceAmplification, "by the pod that reported last")
	}
	second.Readings = nil
	assert.Nil(t, storeIO([]PodLog{first, second}), "half of a load is not the load")
}

func TestASearchHasNoOperationsToShareWhatWasWritten(t *testing.T) {
	r, err := Summarize([]PodLog{{
		Log: searching(t), Capacity: found(130, v1beta1.CapacityStep{Rate: 100, Operations: 100, Kept: true}, v1beta1.CapacityStep{Rate: 200, Operations: 150}, v1beta1.CapacityStep{Rate: 120, Operations: 120, Kept: true}),
		Readings: &v1beta1.StoreReadings{Before: bytesOf(0, 0, 0, 0), After: bytesOf(10, 0, 25, 0)},
	}})
	require.NoError(t, err)
	require.NotNil(t, r.StoreIO)
	assert.Equal(t, v1beta1.Decimal("2.500"), r.StoreIO.WriteAmplification)
	assert.Empty(t, r.StoreIO.WrittenPerOp)
}

func TestCountsWhatNodesDidForOneAnotherBetweenTwoReadings(t *testing.T) {
	of := func(kept, delivered, repaired int64) map[string]int64 {
		return map[string]int64{HintsKeptEvent: kept, HintsDeliveredEvent: delivered, ReadRepairsEvent: repaired, "compactions": 9}
	}
	grown := func(nodes int32, kept, delivered, repaired int64) *v1beta1.StoreEvents {
		return &v1beta1.StoreEvents{Nodes: nodes, Of: 2, Counts: map[string]int64{HintsKeptEvent: kept, HintsDeliveredEvent: delivered, ReadRepairsEvent: repaired}}
	}
	for name, test := range map[string]struct {
		before, after []map[string]int64
		want          *v1beta1.StoreEvents
	}{
		"all nodes":                     {[]map[string]int64{of(5, 0, 1), of(7, 7, 0)}, []map[string]int64{of(9, 3, 1), of(8, 8, 2)}, grown(2, 5, 4, 2)},
		"nothing happened":              {[]map[string]int64{of(5, 0, 1), of(7, 7, 0)}, []map[string]int64{of(5, 0, 1), of(7, 7, 0)}, grown(2, 0, 0, 0)},
		"one is gone":                   {[]map[string]int64{of(5, 0, 1), of(7, 7, 0)}, []map[string]int64{of(9, 3, 1), nil}, grown(1, 4, 3, 0)},
		"one was not there before":      {[]map[string]int64{nil, of(7, 7, 0)}, []map[string]int64{of(9, 3, 1), of(8, 8, 2)}, grown(1, 1, 1, 2)},
		"one began again":               {[]map[string]int64{of(5, 2, 1), of(7, 7, 0)}, []map[string]int64{of(9, 0, 1), of(8, 8, 2)}, grown(1, 1, 1, 2)},
		"a store that counts none":      {[]map[string]int64{{"cpu_ns": 4}}, []map[string]int64{{"cpu_ns": 8}}, nil},
		"a store that is silent":        {[]map[string]int64{nil, nil}, []map[string]int64{nil, nil}, nil},
		"a store that was never asked":  {nil, nil, nil},
		"all told, and all began again": {[]map[string]int64{of(5, 2, 1)}, []map[string]int64{of(0, 0, 0)}, nil},
		"one that knows of hints alone": {[]map[string]int64{{HintsKeptEvent: 1}}, []map[string]int64{{HintsKeptEvent: 4}}, &v1beta1.StoreEvents{Nodes: 1, Of: 1, Counts: map[string]int64{HintsKeptEvent: 3}}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, EventsBetween(test.before, test.after))
		})
	}
}

// Stores implement these names in their own languages by docs/reference/store-contract.md. A name in only one of the two would be ignored.
func TestEventsAreThoseThatTheContractNames(t *testing.T) {
	contract, err := os.ReadFile("../../../docs/reference/store-contract.md")
	require.NoError(t, err)
	table := regexp.MustCompile(`\| Event \| Meaning \|\n\|---\|---\|\n((?:\|.*\n)+)`).FindSubmatch(contract)
	require.NotNil(t, table, "the contract has a table of events")
	var names []string
	for _, line := range regexp.MustCompile("(?m)^\\| `([a-z_]+)`").FindAllSubmatch(table[1], -1) {
		names = append(names, string(line[1]))
	}
	assert.ElementsMatch(t, StoreEvents(), names)
}

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

func TestFormatsMillisecondsToTheMicrosecond(t *testing.T) {
	for ns, want := range map[int64]v1beta1.Decimal{
		0: "0.000", 1: "0.000", 499: "0.000", 500: "0.001", 1_499: "0.001", 1_500: "0.002", 999_499: "0.999", 999_500: "1.000",
		1_900_000: "1.900", 83_300_000: "83.300", -1_500_000: "-1.500", -10: "0.000", -500: "-0.001",
		3_600_000_000_000: "3600000.000", math.MaxInt64: "9223372036854.776",
	} {
		assert.Equal(t, want, Millis(ns), "%d ns", ns)
	}
}

func TestFormatsRatesAndSecondsWithOneDecimal(t *testing.T) {
	assert.Equal(t, v1beta1.Decimal("19539.0"), Rate(19539))
	assert.Equal(t, v1beta1.Decimal("0.3"), Rate(0.26))
	assert.Equal(t, v1beta1.Decimal("165.0"), Seconds(2*time.Minute+45*time.Second))
	assert.Equal(t, v1beta1.Decimal("0.0"), Rate(perSecond(5, 0)))
}

func TestReadsDecimalsBack(t *testing.T) {
	f, err := Float("83.300")
	require.NoError(t, err)
	assert.InDelta(t, 83.3, f, 1e-12)
	_, err = Float("")
	assert.ErrorContains(t, err, `decimal "" is not a number`)
}
