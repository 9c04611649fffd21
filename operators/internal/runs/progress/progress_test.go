package progress

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
)

var now = time.Date(2026, 11, 21, 0, 20, 0, 0, time.UTC)

func condition(kind, reason string) metav1.Condition {
	return metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: reason}
}

// two servers, a write and two reads each, of 1000 operations.
func experiment() *v1beta1.Experiment {
	operations, seed := int64(1000), int64(1)
	e := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "toy-20261121-001500"}}
	e.Spec = v1beta1.ExperimentSpec{
		Servers: []v1beta1.ServerSpec{{Name: "quick"}, {Name: "slow"}}, Rounds: 1, Operations: &operations, Load: v1beta1.LoadSpec{Pods: 1, Timeout: metav1.Duration{Duration: 2 * time.Minute}},
		Phases: []v1beta1.PhaseSpec{{Name: "write", Repeats: 1, Threads: 1}, {Name: "read", Repeats: 2, Threads: 1}},
	}
	e.Status.Seed, e.Status.Planned = &seed, 6
	ready := metav1.NewTime(now.Add(-90 * time.Second))
	e.Status.Store = &v1beta1.StoreStatus{InstalledAt: metav1.NewTime(now.Add(-150 * time.Second)), ReadyAt: &ready}
	return e
}

// cells gives the first n measurements of the plan, finished, of 20 s each.
func cells(e *v1beta1.Experiment, n int) []v1beta1.Measurement {
	var out []v1beta1.Measurement
	for _, cell := range plan.Build(e, 1).Cells()[:n] {
		m := v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: cell.Name}, Spec: cell.Spec}
		m.Status.Conditions = []metav1.Condition{condition(v1beta1.ConditionStarted, "s"), condition(v1beta1.ConditionFinished, "f")}
		m.Status.Result = &v1beta1.Result{OperationSeconds: "20.0"}
		out = append(out, m)
	}
	return out
}

// run makes the last one run: half of its operations after 10 s, on two load pods.
func run(measurements []v1beta1.Measurement) []v1beta1.Measurement {
	m := &measurements[len(measurements)-1]
	start := metav1.NewMicroTime(now.Add(-10 * time.Second))
	m.Status = v1beta1.MeasurementStatus{
		Attempt: 1, StartAt: &start, Conditions: []metav1.Condition{condition(v1beta1.ConditionStarted, "s")},
		Parts: []v1beta1.Part{
			{Index: 0, Attempt: 1, State: v1beta1.PartRunning, Operations: 300, OpRate: "30.0", P95Millis: "7.500"},
			{Index: 1, Attempt: 1, State: v1beta1.PartRunning, Operations: 200, OpRate: "20.0", P95Millis: "9.500"},
			{Index: 0, Attempt: 0, State: v1beta1.PartFailed, Operations: 999, OpRate: "999.0", P95Millis: "999.000"},
		},
	}
	return measurements
}

func TestSaysWhatIsDoneHowFastAndHowLongStill(t *testing.T) {
	e := experiment()
	first := plan.Build(e, 1).Stores[0]
	e.Status.Store.Release = first.Release
	for name, test := range map[string]struct {
		measurements []v1beta1.Measurement
		want         string
	}{
		// 10 s of this write, four reads and a write of 20 s each, and a second store that takes 60 s.
		"measuring the first": {run(cells(e, 1)), "measurement 1 of 6 · writes on " + first.Servers[0] + " · 50% · 2:50 left · 50 op/s · p95 9.5 ms"},
		"between":             {cells(e, 3), "3 of 6 measured · removing the store · 2:00 left"},
		"all measured":        {cells(e, 6), "6 of 6 measured · removing the store"},
	} {
		t.Run(name, func(t *testing.T) {
			e.Status.Current = "removing the store"
			assert.Equal(t, test.want, Of(e, test.measurements, now).Line())
		})
	}
}

func TestState_saysUntilWhenALoadIsWaitedFor(t *testing.T) {
	e := experiment()
	first := plan.Build(e, 1).Stores[0]
	e.Status.Store.Release = first.Release
	const begin = "measurement 1 of 6 · writes on "
	for name, test := range map[string]struct {
		change func(*v1beta1.Measurement)
		silent time.Duration
		want   string
	}{
		"nothing is late": {func(*v1beta1.Measurement) {}, 0, " · 50% · 2:50 left · 50 op/s · p95 9.5 ms"},
		"nothing new":     {func(*v1beta1.Measurement) {}, 61 * time.Second, " · 50% · nothing new for 1:01 · times out in 1:50 · 50 op/s · p95 9.5 ms"},
		"its duration has passed": {func(m *v1beta1.Measurement) {
			m.Spec.Operations, m.Spec.Duration = 0, &metav1.Duration{Duration: 5 * time.Second}
		}, 0, " · 100% · times out in 1:50 · 50 op/s · p95 9.5 ms"},
		"it awaits compactions": {func(m *v1beta1.Measurement) {
			m.Spec.AwaitCompactions = &metav1.Duration{Duration: time.Minute}
			m.Status.Parts = []v1beta1.Part{{Index: 0, Attempt: 1, State: v1beta1.PartSettling, Operations: 1000}}
		}, 0, " · 100% · 1:50 left · waits for compactions, at most 2:50"},
	} {
		t.Run(name, func(t *testing.T) {
			measurements := run(cells(e, 1))
			test.change(&measurements[0])
			line := Of(e, measurements, now).Despite(nil, test.silent).Line()
			assert.Equal(t, begin+first.Servers[0]+test.want, line)
		})
	}
}

func TestSpeaksInTheStoresOwnUnits(t *testing.T) {
	e := experiment()
	first := plan.Build(e, 1).Stores[0]
	e.Status.Store.Release = first.Release
	e.Status.Units = &v1beta1.Units{Operations: "packets", Latency: v1beta1.LatencyMicros}
	assert.Equal(t, "measurement 1 of 6 · writes on "+first.Servers[0]+" · 50% · 2:50 left · 50 packets/s · p95 9500.0 µs", Of(e, run(cells(e, 1)), now).Line())
}

func TestSaysOfAnInterleavedPhaseWhatItGoesRoundAmong(t *testing.T) {
	e := experiment()
	e.Spec.Store.Hosting, e.Spec.Rounds = v1beta1.HostingShared, 2
	e.Spec.Phases = []v1beta1.PhaseSpec{{Name: "read", Repeats: 1, Threads: 1, Duration: &metav1.Duration{Duration: 30 * time.Second},
		Interleave: &v1beta1.Interleave{Window: metav1.Duration{Duration: time.Second}, Warmup: metav1.Duration{Duration: 10 * time.Second}}}}
	e.Status.Planned = 4
	e.Status.Store.Release = plan.Build(e, 1).Stores[0].Release
	for _, companion := range []bool{false, true} {
		measurements := run(cells(e, 1))
		if companion { // it has its start from the lead, and nothing else yet
			measurements = append(measurements, run(cells(e, 2))[1])
			measurements[0] = run(cells(e, 1))[0]
			measurements[1].Status.Parts = nil
		}
		assert.Equal(t, "round 1 of 2 · reads on 2 servers in turn · 25% · 1:10 left · 50 op/s · p95 9.5 ms", Of(e, measurements, now).Line())
	}
}

func TestSaysOfARunThatMayEndEarlierWhatItTakesAtMost(t *testing.T) {
	e := experiment()
	e.Spec.Rounds, e.Spec.Precision, e.Spec.Budget = 60, "3%", &metav1.Duration{Duration: 5 * time.Minute}
	e.Status.Planned = 360
	first := plan.Build(e, 1).Stores[0]
	e.Status.Store.Release = first.Release
	assert.Equal(t, "round 1 of at most 60 · writes on "+first.Servers[0]+" · 50% · at most 5:00 left · 50 op/s · p95 9.5 ms", Of(e, run(cells(e, 1)), now).Line())
	e.Status.Precision, e.Status.Planned = &v1beta1.PrecisionStatus{Rounds: 1, Reason: v1beta1.ReasonPrecisionReached}, 6
	e.Status.Current = "removing the store"
	assert.Equal(t, "6 of 6 measured · removing the store", Of(e, cells(e, 6), now).Line())
}

func TestTheTimeLeftIsThatOfPhasesThatAreStillMeasured(t *testing.T) {
	e := experiment()
	e.Spec.Rounds, e.Spec.Precision, e.Spec.Budget = 4, "3%", &metav1.Duration{Duration: 100 * time.Hour}
	e.Status.Store.Release = plan.Build(e, 1).Stores[0].Release
	e.Spec.Store.Hosting = v1beta1.HostingShared
	all := Of(e, cells(e, 12), now).Left
	e.Status.Precision = &v1beta1.PrecisionStatus{Rounds: 2, Settled: []v1beta1.SettledPhase{{Phase: "read", Rounds: 2}}}
	assert.Equal(t, all-2*2*2*20*time.Second, Of(e, cells(e, 12), now).Left, "without two reads of 20 s on two servers in two rounds")
}

func TestNamesTheThreadsOfASweep(t *testing.T) {
	e := experiment()
	e.Spec.Phases[0].Sweep.Threads = []int32{8, 256}
	assert.Equal(t, "writes by 8 threads on "+e.Spec.Servers[0].Name, Of(e, run(cells(e, 1)), now).Doing)
}

func TestCountsWhatLiesAroundTheLoad(t *testing.T) {
	e := experiment()
	e.Status.Store.Release = plan.Build(e, 1).Stores[0].Release
	measurements := cells(e, 3)
	for i := range measurements {
		m := &measurements[i]
		m.Status.Attempt, m.CreationTimestamp = 1, metav1.NewTime(now)
		m.Status.Conditions[1].LastTransitionTime = metav1.NewTime(now.Add(25 * time.Second)) // for 20 s of load
	}
	assert.Equal(t, 3*25*time.Second+time.Minute, Of(e, measurements, now).Left, "three more, and a second store that takes 60 s")
	measurements[2].Status.Attempt = 2
	measurements[2].Status.Conditions[1].LastTransitionTime = metav1.NewTime(now.Add(time.Hour))
	assert.Equal(t, 3*25*time.Second+time.Minute, Of(e, measurements, now).Left, "an attempt that was lost is no measure")
}

func TestALogOfWrongTimesDoesNotStretchWhatIsLeft(t *testing.T) {
	e := experiment()
	e.Status.Store.Release = plan.Build(e, 1).Stores[0].Release
	measurements := cells(e, 3)
	for i := range measurements {
		m := &measurements[i]
		start := metav1.NewMicroTime(now)
		m.Status.StartAt, m.Status.Conditions[1].LastTransitionTime = &start, metav1.NewTime(now.Add(3*time.Second))
		m.Status.Result.OperationSeconds = "3602.0" // by a clock that was set
	}
	assert.Equal(t, 3*4*time.Second+time.Minute, Of(e, measurements, now).Left, "three more of 3 s, by a clock of whole seconds, and a second store that takes 60 s")
}

func TestDoesNotGuessBeforeAnythingWasMeasured(t *testing.T) {
	e := experiment()
	e.Status.Current = "installing the store"
	state := Of(e, nil, now)
	assert.Less(t, state.Left, time.Duration(0))
	assert.Equal(t, "0 of 6 measured · installing the store", state.Line())
	assert.Equal(t, "waiting for the operator", Of(&v1beta1.Experiment{}, nil, now).Line())
}

func TestTellsHowARunEnded(t *testing.T) {
	e := experiment()
	outcome, _ := End(e)
	assert.Equal(t, Running, outcome)
	at := metav1.NewTime(now)
	e.Status.FinishedAt = &at
	outcome, _ = End(e)
	assert.Equal(t, Complete, outcome)
	failed := condition(v1beta1.ConditionFailed, v1beta1.ReasonStoreFailed)
	failed.Message = "the store did not become ready"
	e.Status.Conditions = append(e.Status.Conditions, failed)
	outcome, message := End(e)
	assert.Equal(t, Failed, outcome)
	assert.Equal(t, "the store did not become ready", message)
	assert.Equal(t, v1beta1.ReasonStoreFailed, WhyFailed(e))
}

func TestARefusedRunFailedForTheReasonOfItsRefusal(t *testing.T) {
	e := experiment()
	refused := condition(v1beta1.ConditionAccepted, string(v1beta1.RefusedUnknownServer))
	refused.Status = metav1.ConditionFalse
	e.Status.Conditions = []metav1.Condition{condition(v1beta1.ConditionFailed, v1beta1.ReasonRefused), refused}
	assert.Equal(t, "UnknownServer", WhyFailed(e))
}

func TestWritesDurationsAsAClock(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0:00", 65 * time.Second: "1:05", 3 * time.Hour: "3:00:00", 59*time.Minute + 59600*time.Millisecond: "1:00:00"} {
		assert.Equal(t, want, Clock(d))
	}
}

func TestNamesALoadThatIsAboutToBeginInTheSameWords(t *testing.T) {
	e := experiment()
	measurements := cells(e, 2)
	measurements[1].Status.Conditions, measurements[1].Status.Result = nil, nil
	e.Status.Current = plan.Describe(e, &measurements[1].Spec)
	state := Of(e, measurements, now)
	assert.Equal(t, "reads on "+measurements[1].Spec.Server+", 1 of 2", state.Doing)
	assert.False(t, state.Measuring)
}

func TestNamesALoadThatHasJustEndedInTheSameWords(t *testing.T) {
	e := experiment()
	measurements := cells(e, 2)
	e.Status.Current = plan.Describe(e, &measurements[1].Spec)
	assert.Equal(t, "reads on "+measurements[1].Spec.Server+", 1 of 2", Of(e, measurements, now).Doing)
}

func TestCountsOnOnlyWhileTheRunGoesOn(t *testing.T) {
	e := experiment()
	e.Status.Current = "removing the store"
	e.Status.Store.Release = plan.Build(e, 1).Stores[0].Release
	state := Of(e, cells(e, 3), now)
	for name, test := range map[string]struct {
		troubles []string
		silent   time.Duration
		want     string
	}{
		"news":             {nil, 59 * time.Second, "3 of 6 measured · removing the store · 2:00 left"},
		"none for long":    {nil, 70 * time.Second, "3 of 6 measured · removing the store · nothing new for 1:10"},
		"operator is away": {[]string{"the operator is not running"}, 0, "3 of 6 measured · removing the store · the operator is not running"},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, state.Despite(test.troubles, test.silent).Line())
		})
	}
}

func TestNewsAreObjectsThatChange(t *testing.T) {
	e, measurements := experiment(), cells(experiment(), 2)
	var news News
	assert.Zero(t, news.Since(e, measurements, now))
	measurements[0], measurements[1] = measurements[1], measurements[0]
	assert.Equal(t, time.Minute, news.Since(e, measurements, now.Add(time.Minute)), "their order is none")
	measurements[1].ResourceVersion = "7"
	assert.Zero(t, news.Since(e, measurements, now.Add(2*time.Minute)))
	assert.Equal(t, time.Second, news.Since(e, measurements, now.Add(2*time.Minute+time.Second)))
	measurements[1].Status.Parts = []v1beta1.Part{{Attempt: measurements[1].Status.Attempt, Pod: "p", State: v1beta1.PartRunning, Operations: 5}}
	assert.Zero(t, news.Since(e, measurements, now.Add(3*time.Minute)), "a load pod reports in an object of its own")
	measurements[1].Status.Parts[0].Operations = 6
	assert.Zero(t, news.Since(e, measurements, now.Add(4*time.Minute)))
}

func TestDescribesAMeasurementToThoseWhoDoNotKnowTheExperiment(t *testing.T) {
	e := experiment()
	e.Spec.Rounds, e.Spec.Installations, e.Spec.Baseline = 5, 2, "quick"
	e.Spec.Phases = append(e.Spec.Phases, v1beta1.PhaseSpec{Name: "read-rate", Operation: "read", Sweep: v1beta1.Sweep{Rates: []int64{100, 200}}})
	for want, spec := range map[string]v1beta1.MeasurementSpec{
		"reads on slow, 2 of 2":                  {Server: "slow", Phase: "read", Operation: "read", Repeat: 2},
		"read-rate at 100/s on slow":             {Server: "slow", Phase: "read-rate", Operation: "read", TargetRate: 100},
		"profile cpu of slow under reads":        {Server: "slow", Phase: "read", Operation: "read", Profile: &v1beta1.ProfileOrder{Event: v1beta1.ProfileCPU}},
		"writes on 1 server, each next to quick": {Server: "slow", Phase: "write", Operation: "write", Interleave: &v1beta1.Interleave{Mode: v1beta1.InterleaveDuet}},
	} {
		assert.Equal(t, want, describe(e, &spec))
	}
	assert.Equal(t, "round 3 of 5, installation 2 of 2", where(e, &v1beta1.MeasurementSpec{Round: 3, Installation: 2}, false))
	assert.Equal(t, "round 3 of at most 5, installation 2 of 2", where(e, &v1beta1.MeasurementSpec{Round: 3, Installation: 2}, true))
}
