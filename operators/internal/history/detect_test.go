package history

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/history/planted"
	"ringside.dev/ringside/operators/internal/results"
)

// otavaCase is a series with the answers of Apache Otava: see testdata/README.md.
type otavaCase struct {
	Name             string
	Values           []float64
	Candidate        int
	Qhat             float64
	Divisive, Hunter []int
}

func otavaCases(t *testing.T) []otavaCase {
	t.Helper()
	text, err := os.ReadFile("testdata/otava.json")
	require.NoError(t, err)
	var cases []otavaCase
	require.NoError(t, json.Unmarshal(text, &cases))
	require.Len(t, cases, 11)
	return cases
}

// tooRecent is the series on which the answers differ.
const tooRecent = "slower since the last two runs"

func TestFindsWhatOtavaFinds(t *testing.T) {
	for _, c := range otavaCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			best := newSplitter(len(c.Values)).best(c.Values)
			assert.Equal(t, c.Candidate, best.at)
			assert.InEpsilon(t, c.Qhat, best.divergence, 1e-9)
			found := places(Find(c.Values, 0.01))
			if c.Name == tooRecent {
				assert.Empty(t, found)
				assert.Equal(t, c.Hunter, places(Find(append(c.Values, c.Values[22]), 0.01)), "one run later")
				return
			}
			assert.Equal(t, c.Divisive, found, "with permutations, as Otava's --orig-edivisive")
			assert.Equal(t, c.Hunter, found, "Otava's default")
		})
	}
}

func places(found []Found) []int {
	at := []int{}
	for _, f := range found {
		at = append(at, f.At)
	}
	return at
}

// divergenceOf is the definition, pair by pair.
func divergenceOf(x, y []float64) float64 {
	between := func(a, b []float64) float64 {
		sum := 0.0
		for _, v := range a {
			for _, w := range b {
				sum += math.Abs(v - w)
			}
		}
		return sum
	}
	n, m := float64(len(x)), float64(len(y))
	d := 2 / (n + m) * between(x, y)
	if n > 1 {
		d -= 2 * m / ((n + m) * (n - 1)) * between(x, x) / 2
	}
	if m > 1 {
		d -= 2 * n / ((n + m) * (m - 1)) * between(y, y) / 2
	}
	return d
}

func TestTheBestSplitIsThatOfTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 2; n <= 12; n++ {
		values := normal(rng, n, 1)
		best := split{divergence: math.Inf(-1)}
		for tau := 1; tau < n; tau++ {
			for kappa := tau + 1; kappa <= n; kappa++ {
				if d := divergenceOf(values[:tau], values[tau:kappa]); d > best.divergence {
					best = split{tau, d}
				}
			}
		}
		got := newSplitter(n).best(values)
		assert.Equal(t, best.at, got.at)
		assert.InEpsilon(t, best.divergence, got.divergence, 1e-9)
	}
}

func normal(rng *rand.Rand, n int, deviation float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = deviation * rng.NormFloat64()
	}
	return values
}

func TestFalseAlarmsAreAsRareAsTheLevel(t *testing.T) {
	const level, series = 0.05, 600
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{10, 20, 40} {
		alarms := 0
		for range series {
			if len(Find(normal(rng, n, 0.01), level)) > 0 {
				alarms++
			}
		}
		deviation := math.Sqrt(series * level * (1 - level))
		assert.LessOrEqual(t, float64(alarms), series*level+3*deviation, "%d runs", n)
		assert.GreaterOrEqual(t, float64(alarms), series*level-4*deviation, "%d runs: a test that never alarms would pass, too", n)
		t.Logf("%d of %d series of %d equal runs", alarms, series, n)
	}
}

// A change of five standard deviations, such as 5% where runs differ by 1%.
func TestFindsAPlantedChangeAtItsRunAndNoOther(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, test := range []struct{ n, at int }{{20, 10}, {20, 16}, {24, 5}, {40, 36}, {60, 30}} {
		const series = 40
		exact, near := 0, 0
		for range series {
			values := normal(rng, test.n, 0.01)
			for i := test.at; i < test.n; i++ {
				values[i] += math.Log(0.95)
			}
			found := places(Find(values, 0.005))
			if slices.Equal(found, []int{test.at}) {
				exact++
			}
			if len(found) == 1 && max(found[0]-test.at, test.at-found[0]) <= 1 {
				near++
			}
		}
		t.Logf("%d runs, changed at %d: %d of %d at the run, %d within one run", test.n, test.at, exact, series, near)
		assert.GreaterOrEqual(t, exact, 37, "%d runs, changed at %d", test.n, test.at)
		assert.GreaterOrEqual(t, near, 38, "%d runs, changed at %d", test.n, test.at)
	}
}

func TestEqualSeriesGiveEqualAnswers(t *testing.T) {
	values := otavaCases(t)[5].Values
	assert.Equal(t, Find(values, 0.01), Find(slices.Clone(values), 0.01))
	assert.NotEqual(t, seedOf([]float64{1, 2}), seedOf([]float64{2, 1}))
}

func TestFindsNothingWhereThereIsNothingToDivide(t *testing.T) {
	for name, values := range map[string][]float64{"none": nil, "one run": {1}, "two runs": {1, 2}, "equal figures": {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}} {
		assert.Empty(t, Find(values, 0.05), name)
	}
}

func TestAChangeIsFoundFromItsRunsAfterOn(t *testing.T) {
	const n, level = 20, 0.01
	k := RunsAfter(n, level)
	assert.Equal(t, 3, k)
	rng := rand.New(rand.NewPCG(4, 4))
	for after := 1; after <= k; after++ {
		values := normal(rng, n, 1e-6)
		for i := n - after; i < n; i++ {
			values[i]--
		}
		assert.Equal(t, after == k, len(Find(values, level)) > 0, "%d runs after the change", after)
	}
	assert.Equal(t, 10, FewestRuns(level))
	assert.Zero(t, RunsAfter(9, level))
}

func TestTheGuideStatesHowManyRunsMustFollow(t *testing.T) {
	page := guide(t)
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| (\d+|-) \| (\d+|-) \| (\d+|-) \|$`).FindAllStringSubmatch(page, -1)
	require.Len(t, rows, 4)
	for _, row := range rows {
		n, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		for i, series := range []float64{1, 6, 14} {
			want := "-"
			if after := RunsAfter(n, 0.01/series); after > 0 {
				want = strconv.Itoa(after)
			}
			assert.Equal(t, want, row[2+i], "%d runs, %g series", n, series)
		}
	}
}

// big returns the run of a night with so many measurements for each of a planted run, and its own histograms.
func big(like *archive.Run, night, times int) *archive.Run {
	e := like.Experiment.DeepCopy()
	e.Labels[v1beta1.LabelRun] = time.Date(2026, 1, 1, 1, 0, 0, 0, time.UTC).AddDate(0, 0, night).Format(v1beta1.RunIDLayout)
	run := &archive.Run{Experiment: e, Measurements: map[string]*v1beta1.Measurement{}}
	for time := range times {
		for name, m := range like.Measurements {
			m = m.DeepCopy()
			m.Name, m.Spec.Repeat = fmt.Sprintf("%s-%d", name, time), m.Spec.Repeat+int32(time)
			m.Status.Proof.Environment = map[string]string{"jvm_flags": m.Name}
			run.Measurements[m.Name] = m
			run.Rows = append(run.Rows, results.FromMeasurement(m))
		}
	}
	return run
}

// live returns the bytes of live objects.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestAYearOfNightsFitsIntoMemory(t *testing.T) {
	const nights, year, limit = 8, 365, 256 << 20
	like := runsOf(t, planted.Plan{Runs: 1, Seed: 1})[0]
	read, before := NewNights(Options{}, true), live()
	for night := range nights {
		read.Add(big(like, night, 20), nil)
	}
	h, err := Of(read, Options{})
	require.NoError(t, err)
	kept := live() - before
	t.Logf("%d KiB a night of %d measurements", kept/nights/1024, h.Runs[0].Measurements)
	assert.Less(t, kept*year/nights, uint64(limit))
	runtime.KeepAlive(read)
	require.Len(t, h.Runs, nights)
	assert.Len(t, judged(h, "disruptor")[0].Points, nights)
}

// Figures are taken with a run's own baseline; those with the baseline of most runs need its histograms again.
func TestARunWithAnotherBaselineIsReadAgain(t *testing.T) {
	runs := runsOf(t, planted.Plan{Runs: 3, Seed: 1, Edit: func(run int, e *v1beta1.Experiment, m *v1beta1.Measurement) {
		if m == nil && run == 2 {
			e.Spec.Baseline = "disruptor"
		}
	}})
	nights, again := NewNights(Options{}, false), []string{}
	for _, run := range runs {
		nights.Add(run, func() (*archive.Run, error) { again = append(again, run.ID()); return run, nil })
	}
	h, err := Of(nights, Options{})
	require.NoError(t, err)
	assert.Equal(t, "hsha", h.Baseline)
	assert.Equal(t, []string{planted.Run(2)}, again)
	assert.Len(t, judged(h, "disruptor")[0].Points, 3)
	assert.Len(t, nights.all[0].run.Rows, 3, "one for each server and load")
}
