package covariates

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

const perRound, window = 20, 500 * time.Millisecond

// closedLoop returns a run of a closed loop in windows: a baseline and two more servers. Pauses slow each server down, and explain the planted
// share of what its log ratio to the baseline varies by. Bytes written are unrelated. All servers share the load's wait.
func closedLoop(rounds int, planted float64) *archive.Run {
	rng := rand.New(rand.NewPCG(1, 2))
	run := &archive.Run{Measurements: map[string]*v1alpha1.Measurement{}, Logs: map[string]*measure.Log{}}
	for round := 1; round <= rounds; round++ {
		wait := rng.Int64N(100)
		for _, server := range []string{"base", "x", "y"} {
			var counters []measure.Counters
			for i := range perRound {
				// Uniform pauses of 0 to 500 ms have a variance of a twelfth.
				pause := rng.Int64N(window.Milliseconds())
				slowed := 0.2 * (math.Sqrt(12*planted)*float64(pause)/float64(window.Milliseconds()) + math.Sqrt(1-planted)*rng.NormFloat64())
				start := time.Unix(int64(1000*round+i), 0)
				counters = append(counters, measure.Counters{Start: start, End: start.Add(window), Windows: 1, Operations: int64(10_000 * math.Exp(-slowed)),
					Values: map[string]int64{measure.PauseCounter: pause, measure.WrittenBytesCounter: rng.Int64N(1e6), measure.SwitchCounter: 5}})
			}
			add(run, server, "", round, counters)
			name := run.Rows[len(run.Rows)-1].Measurement
			run.Measurements[name].Status.Parts = []v1alpha1.Part{{CPUWaitedPermille: &wait}}
		}
	}
	return run
}

// add adds a measurement in windows to a run.
func add(run *archive.Run, server, peer string, round int, counters []measure.Counters) {
	cpu := &v1alpha1.StoreCPU{Windows: int64(len(counters)), Counters: map[string]int64{}}
	for _, c := range counters {
		cpu.Operations += c.Operations
		for name, value := range c.Values {
			cpu.Counters[name] += value
		}
	}
	took := time.Duration(len(counters)) * window
	row := results.Row{Run: "r", Server: server, ServerType: server, Peer: peer, Operation: "read", Phase: "read", Threads: 50, LatencyKind: "service", Round: round, Repeat: 1,
		Valid: true, Ops: results.Some(cpu.Operations), OpRate: results.Some(float64(cpu.Operations) / took.Seconds()), OperationTime: results.Some(took),
		Measurement: fmt.Sprintf("%s-%s-%d", server, peer, round)}
	run.Rows = append(run.Rows, row)
	run.Logs[row.Measurement] = &measure.Log{Windowed: true, Counters: counters}
	run.Measurements[row.Measurement] = &v1alpha1.Measurement{Status: v1alpha1.MeasurementStatus{Result: &v1alpha1.Result{StoreCPU: cpu}}}
}

// of returns the finding of a server and a covariate.
func of(t *testing.T, findings []Finding, server, covariate string) Finding {
	t.Helper()
	for _, f := range findings {
		if f.Server == server && f.Covariate == covariate {
			return f
		}
	}
	require.Fail(t, "no finding of "+covariate)
	return Finding{}
}

func TestFindsWhatIsPlantedAndNotWhatIsUnrelated(t *testing.T) {
	for _, planted := range []float64{0.3, 0.6} {
		findings, err := Explain(closedLoop(20, planted))
		require.NoError(t, err)
		for _, server := range []string{"x", "y"} {
			pauses, written := of(t, findings, server, "gc_pause_ms/s"), of(t, findings, server, "written_bytes/s")
			assert.Equal(t, "op_rate", pauses.Metric)
			assert.Equal(t, 20, pauses.Rounds.Logs)
			assert.Equal(t, 20*perRound, pauses.Windows.Logs)
			assert.Less(t, pauses.Windows.Slope, 0.0, "pauses slow a server down")
			assert.InDelta(t, planted, pauses.Windows.InSample, 0.08)
			assert.InDelta(t, planted, pauses.Windows.CrossValidated, 0.1)
			assert.Greater(t, pauses.Rounds.CrossValidated, 0.0)
			assert.Less(t, written.Windows.InSample, 0.02)
			assert.LessOrEqual(t, written.Windows.CrossValidated, 0.005)
		}
	}
}

func TestListsWhatIsRecordedAndVaries(t *testing.T) {
	findings, err := Explain(closedLoop(8, 0.5))
	require.NoError(t, err)
	var names []string
	for _, f := range findings {
		if f.Server == "x" {
			names = append(names, f.Covariate)
		}
	}
	assert.Equal(t, []string{"gc_pause_ms/s", "load_wait", "other servers", "written_bytes/s"}, names, "context switches are the operations' own")
	wait := of(t, findings, "x", "load_wait")
	assert.True(t, wait.Rounds.Known, "both sides share it, so its value counts")
	assert.False(t, wait.Windows.Known, "it is recorded for whole phases")
}

func TestFewRoundsCountOnlyByTheirWindows(t *testing.T) {
	findings, err := Explain(closedLoop(7, 0.5))
	require.NoError(t, err)
	pauses := of(t, findings, "x", "gc_pause_ms/s")
	assert.False(t, pauses.Rounds.Known)
	assert.True(t, pauses.Windows.Known)
	var text strings.Builder
	require.NoError(t, Table([]Finding{pauses}).Write(&text, "csv", false))
	assert.Regexp(t, `^load,.*\nread,x,op_rate,gc_pause_ms/s,7,,,,140,\d+%,-,-\d+%\n$`, text.String())
}

// counted returns windows at a constant rate, in which an operation takes so many ns of CPU time and the collector a share of them; -1 stands for a
// window whose counters were lost.
func counted(nanos ...int64) []measure.Counters {
	var counters []measure.Counters
	for i, each := range nanos {
		start := time.Unix(int64(i), 0)
		c := measure.Counters{Start: start, End: start.Add(window), Windows: 1, Operations: 100,
			Values: map[string]int64{measure.CPUCounter: 100 * each, measure.CPUServerCounter: 10 * each, "cpu_gc_ns": each * each}}
		if each < 0 {
			c.Unknown, c.Operations, c.Values = 1, 0, nil
		}
		counters = append(counters, c)
	}
	return counters
}

// The baseline of a duet is the one at the same time, other pairs are others, and lost windows have no log ratio.
func TestPairsSidesOfDuetsAndWindows(t *testing.T) {
	run := &archive.Run{Measurements: map[string]*v1alpha1.Measurement{}, Logs: map[string]*measure.Log{}}
	for round := 1; round <= 3; round++ {
		n := int64(round)
		add(run, "base", "x", round, counted(500, 520, 540+n))
		add(run, "x", "base", round, counted(600, -1, 648+n*n))
		add(run, "base", "y", round, counted(700, 710+n, 720))
		add(run, "y", "base", round, counted(800, 810, 820+n))
	}
	for i := range run.Rows {
		row := &run.Rows[i]
		cpu := run.Measurements[row.Measurement].Status.Result.StoreCPU
		row.TargetRate, row.CPU.PerOp = 200, results.Some(time.Duration(cpu.Counters[measure.CPUCounter]/max(cpu.Operations, 1)))
	}
	findings, err := Explain(run)
	require.NoError(t, err)
	x := of(t, findings, "x", "cpu_gc_ns/s")
	assert.Equal(t, results.CPUPerOperation, x.Metric)
	assert.Equal(t, 3, x.Rounds.Logs)
	assert.Equal(t, 6, x.Windows.Logs, "two of three windows")
	assert.True(t, of(t, findings, "x", othersName).Windows.Known)
	assert.True(t, of(t, findings, "x", "cpu_other_ns/s").Windows.Known)
	for _, f := range findings {
		assert.NotContains(t, []string{"cpu_ns/s", "cpu_server_ns/s"}, f.Covariate, "what the metric is made of")
	}
}

func TestSaysWhatItCannotExplain(t *testing.T) {
	_, err := Explain(&archive.Run{Rows: []results.Row{{Run: "r", Server: "alone"}}})
	assert.EqualError(t, err, "explain the noise of a run: run r has one server, alone: there is nothing to compare it with")
}

func TestSaysWhichRunIsTooSmall(t *testing.T) {
	run := closedLoop(7, 0.5)
	run.Logs = nil
	_, err := Explain(run)
	assert.EqualError(t, err, "explain the noise of a run: it has neither 8 compared rounds nor windows with the store's counters: run the experiment with more rounds")
}
