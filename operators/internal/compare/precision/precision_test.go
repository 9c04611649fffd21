package precision

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// example reads from three servers, one of which is the baseline again, after a prepare phase and a warm-up round.
func example() *v1beta1.Experiment {
	operations, seed := int64(1000), int64(1)
	e := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "toy"}}
	e.Spec = v1beta1.ExperimentSpec{
		Store:   v1beta1.StoreSpec{Chart: "cassandra", Hosting: v1beta1.HostingShared},
		Servers: []v1beta1.ServerSpec{{Name: "hsha"}, {Name: "hsha-again", Type: "hsha"}, {Name: "xedin"}},
		Load:    v1beta1.LoadSpec{Pods: 1}, Operations: &operations,
		Phases: []v1beta1.PhaseSpec{{Name: "fill", Operation: "write", Repeats: 1, Threads: 8, Type: v1beta1.PhasePrepare}, {Name: "read", Repeats: 1, Threads: 8}},
		Rounds: 40, WarmupRounds: 1, Precision: "3%", Budget: &metav1.Duration{Duration: time.Hour},
	}
	e.Status.Seed = &seed
	return e
}

// measured returns the measurements of the first rounds. Each round takes a minute, followed by an idle minute. rate returns a server's
// rate.
func measured(e *v1beta1.Experiment, rounds int32, rate func(server string, round int32) float64) []*v1beta1.Measurement {
	var out []*v1beta1.Measurement
	for _, cell := range plan.OfRun(e).Cells() {
		if cell.Spec.Round > rounds {
			continue
		}
		begin := noon.Add(time.Duration(2*(cell.Spec.Round-1)) * time.Minute)
		if cell.Phase.Type == v1beta1.PhasePrepare {
			begin = begin.Add(-time.Hour)
		}
		m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: cell.Name, CreationTimestamp: metav1.NewTime(begin)}, Spec: cell.Spec}
		m.Status.Conditions = []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: metav1.ConditionTrue, LastTransitionTime: metav1.NewTime(begin.Add(time.Minute))}}
		value := rate(cell.Spec.Server, cell.Spec.Round)
		m.Status.Valid = value > 0
		m.Status.Result = &v1beta1.Result{Operations: 1000, OpRate: v1beta1.Decimal(fmt.Sprintf("%.3f", value)), LatencyKind: v1beta1.LatencyService}
		out = append(out, m)
	}
	return out
}

// noisy varies the rate by a share from round to round, except for the baseline.
func noisy(share float64) func(string, int32) float64 {
	return func(server string, round int32) float64 {
		if server == "hsha" {
			return 1000
		}
		return 1000 * (1 + share*float64(1-2*(round%2)))
	}
}

func TestJudgesTheFinishedRounds(t *testing.T) {
	lost := func(server string, round int32) float64 {
		if server == "xedin" && round < 10 {
			return 0
		}
		return noisy(0.01)(server, round)
	}
	for name, test := range map[string]struct {
		rounds int32
		rate   func(string, int32) float64
		change func(*v1beta1.Experiment)
		reason string
		known  bool
	}{
		"one to warm up is none":          {1, noisy(0.01), nil, "", false},
		"precise, but too few":            {12, noisy(0.01), nil, "", true},
		"precise":                         {13, noisy(0.01), nil, v1beta1.ReasonPrecisionReached, true},
		"not precise":                     {13, noisy(0.06), nil, "", true},
		"precise enough for less":         {13, noisy(0.06), func(e *v1beta1.Experiment) { e.Spec.Precision = "0.1" }, v1beta1.ReasonPrecisionReached, true},
		"not precise, and time is up":     {13, noisy(0.06), func(e *v1beta1.Experiment) { e.Spec.Budget.Duration = 13 * time.Minute }, v1beta1.ReasonBudgetUsed, true},
		"time is nearly up":               {13, noisy(0.06), func(e *v1beta1.Experiment) { e.Spec.Budget.Duration = 13*time.Minute + time.Second }, "", true},
		"rounds that are invalid are not": {13, lost, nil, "", false},
		"a server without any valid round is left out": {13, func(server string, round int32) float64 {
			if server == "xedin" {
				return 0
			}
			return noisy(0.01)(server, round)
		}, nil, v1beta1.ReasonPrecisionReached, true},
	} {
		t.Run(name, func(t *testing.T) {
			e := example()
			if test.change != nil {
				test.change(e)
			}
			status, err := Judge(e, test.rounds, measured(e, test.rounds, test.rate))
			require.NoError(t, err)
			assert.Equal(t, test.reason, status.Reason, "%+v", status)
			assert.Equal(t, test.rounds, status.Rounds)
			assert.Equal(t, test.known, status.Widest != "")
			assert.Equal(t, time.Duration(test.rounds)*time.Minute, status.Used.Duration, "the preparation and what lies between rounds are not counted")
		})
	}
}

// twoPhases adds a phase at a constant rate, before the reads.
func twoPhases(e *v1beta1.Experiment) {
	e.Spec.Phases = []v1beta1.PhaseSpec{e.Spec.Phases[0], {Name: "rate", Operation: "read", Repeats: 1, Threads: 8}, e.Spec.Phases[1]}
}

func TestAPhaseThatIsPreciseEnoughSettles(t *testing.T) {
	precise := func(phase, precision string) func(*v1beta1.Experiment) {
		return func(e *v1beta1.Experiment) {
			twoPhases(e)
			for i := range e.Spec.Phases {
				if e.Spec.Phases[i].Name == phase {
					e.Spec.Phases[i].Precision = precision
				}
			}
		}
	}
	dedicated := func(change func(*v1beta1.Experiment)) func(*v1beta1.Experiment) {
		return func(e *v1beta1.Experiment) { change(e); e.Spec.Store.Hosting = v1beta1.HostingDedicated }
	}
	changed := func(change func(*v1beta1.Experiment), first func(*v1beta1.PhaseSpec)) func(*v1beta1.Experiment) {
		return func(e *v1beta1.Experiment) { change(e); first(&e.Spec.Phases[1]) }
	}
	earlier := func(e *v1beta1.Experiment) {
		precise("read", "0.1%")(e)
		e.Status.Precision = &v1beta1.PrecisionStatus{Rounds: 13, Settled: []v1beta1.SettledPhase{{Phase: "rate", Rounds: 13}}}
	}
	for name, test := range map[string]struct {
		rounds  int32
		change  func(*v1beta1.Experiment)
		settled []v1beta1.SettledPhase
		reason  string
	}{
		"in too few rounds":                              {12, precise("read", "0.1%"), nil, ""},
		"the other has a precision of its own":           {13, precise("read", "0.1%"), []v1beta1.SettledPhase{{Phase: "rate", Rounds: 13}}, ""},
		"not if it writes what the others meet":          {13, changed(precise("read", "0.1%"), func(p *v1beta1.PhaseSpec) { p.Operation = "write" }), nil, ""},
		"not if it breaks what the others meet":          {13, changed(precise("read", "0.1%"), func(p *v1beta1.PhaseSpec) { p.Faults = []v1beta1.FaultSpec{{}} }), nil, ""},
		"the last of a dedicated store":                  {13, dedicated(precise("rate", "0.1%")), []v1beta1.SettledPhase{{Phase: "read", Rounds: 13}}, ""},
		"not before a phase that may read its data":      {13, dedicated(precise("read", "0.1%")), nil, ""},
		"it stays settled, and is measured no more":      {15, earlier, []v1beta1.SettledPhase{{Phase: "rate", Rounds: 13}}, ""},
		"all of them end the run, in their last round":   {13, twoPhases, []v1beta1.SettledPhase{{Phase: "rate", Rounds: 13}, {Phase: "read", Rounds: 13}}, v1beta1.ReasonPrecisionReached},
		"all of them, in dedicated stores, in any order": {13, dedicated(twoPhases), []v1beta1.SettledPhase{{Phase: "rate", Rounds: 13}, {Phase: "read", Rounds: 13}}, v1beta1.ReasonPrecisionReached},
	} {
		t.Run(name, func(t *testing.T) {
			e := example()
			test.change(e)
			status, err := Judge(e, test.rounds, measured(e, test.rounds, noisy(0.01)))
			require.NoError(t, err)
			assert.Equal(t, test.settled, status.Settled)
			assert.Equal(t, test.reason, status.Reason, "%+v", status)
		})
	}
}

// A round of two measurements of one minute each, from noon.
func TestTheBudgetIsOfTimeThatWasMeasuredIn(t *testing.T) {
	minute := func(n float64) metav1.Time { return metav1.NewTime(noon.Add(time.Duration(n * float64(time.Minute)))) }
	measurement := func(begin, end float64) *v1beta1.Measurement {
		m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: minute(begin)}, Spec: v1beta1.MeasurementSpec{Round: 1, Phase: "read"}}
		m.Status.Conditions = []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: metav1.ConditionTrue, LastTransitionTime: minute(end)}}
		m.Status.StartAt, m.Status.Result = &metav1.MicroTime{Time: minute(begin).Time}, &v1beta1.Result{}
		return m
	}
	retried := func(begin, failed, again, end float64) *v1beta1.Measurement {
		m := measurement(begin, end)
		m.Status.Failures = []v1beta1.AttemptFailure{{Attempt: 1, Reason: v1beta1.FailureStoreRestarted, At: minute(failed)}}
		m.Status.StartAt = &metav1.MicroTime{Time: minute(again).Time}
		return m
	}
	for name, test := range map[string]struct {
		measurements []*v1beta1.Measurement
		minutes      float64
	}{
		"one after the other":               {[]*v1beta1.Measurement{measurement(0, 1), measurement(1, 2)}, 2},
		"suspended for an hour in between":  {[]*v1beta1.Measurement{measurement(0, 1), measurement(61, 62)}, 2},
		"a node of the store restarted":     {[]*v1beta1.Measurement{measurement(0, 1), retried(1, 1.5, 11.5, 12.5)}, 2.5},
		"no attempt gave a result":          {[]*v1beta1.Measurement{func() *v1beta1.Measurement { m := retried(0, 1, 0, 1); m.Status.Result = nil; return m }()}, 1},
		"side by side":                      {[]*v1beta1.Measurement{measurement(0, 1), measurement(0, 1)}, 1},
		"by a clock that was set back once": {[]*v1beta1.Measurement{measurement(1, 0), measurement(1, 2)}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, time.Duration(test.minutes*float64(time.Minute)), Used(example(), test.measurements))
		})
	}
}

func TestProfilesUseNothingOfTheBudget(t *testing.T) {
	e := example()
	e.Spec.Phases[1].Profile = []v1beta1.ProfileEvent{v1beta1.ProfileCPU}
	all := measured(e, e.Spec.Rounds, noisy(0.01))
	late := metav1.NewTime(noon.Add(100 * time.Hour))
	profiles := 0
	for _, m := range all {
		if m.Spec.Profile != nil {
			profiles++
			m.Status.Conditions[0].LastTransitionTime = late
		}
	}
	assert.Equal(t, 3, profiles)
	assert.Equal(t, time.Duration(e.Spec.Rounds)*time.Minute, Used(e, all))
}

func TestSaysWhyARunEnds(t *testing.T) {
	spec := &example().Spec
	status := &v1beta1.PrecisionStatus{Rounds: 13, Widest: "2.8%", At: "xedin, read at 8 threads"}
	assert.Equal(t, "after 13 of at most 40 rounds the widest primary interval is ±2.8% (xedin, read at 8 threads), ±3% is requested", Sentence(spec, status))
	status.Reason = v1beta1.ReasonPrecisionReached
	assert.Equal(t, "the precision of ±3% is reached after 13 of at most 40 rounds: the widest primary interval is ±2.8% (xedin, read at 8 threads)", Sentence(spec, status))
	status.Reason, status.Widest = v1beta1.ReasonBudgetUsed, ""
	assert.Equal(t, "the budget of 1h0m0s is used up after 13 of at most 40 rounds: the widths of the primary intervals are not known, ±3% was requested", Sentence(spec, status))
	assert.Equal(t, " at most, until ±3% is reached or 1h0m0s are used up", Until(spec))
	assert.Empty(t, Until(&v1beta1.ExperimentSpec{Rounds: 3}))

	spec.Phases[1].Precision, status.Settled = "0.015", []v1beta1.SettledPhase{{Phase: "read", Rounds: 12}, {Phase: "rate", Rounds: 13}}
	assert.Equal(t, "the budget of 1h0m0s is used up after 13 of at most 40 rounds: the widths of the primary intervals are not known, ±3% (read ±1.5%) was requested; "+
		"phase read reached its precision after 12 rounds", Sentence(spec, status), "one that settled in the last round was in all")
	assert.Equal(t, " at most, until ±3% (read ±1.5%) is reached or 1h0m0s are used up", Until(spec))
}

func TestDescribesTheWidthOfDifferencesInSeconds(t *testing.T) {
	spec := &example().Spec
	spec.Phases[1].Precision = "100ms"
	status := &v1beta1.PrecisionStatus{Rounds: 13, WidestTime: &metav1.Duration{Duration: 80 * time.Millisecond}, At: "xedin, read at 8 threads"}
	assert.Equal(t, "after 13 of at most 40 rounds the widest primary interval is ±0.08 s (xedin, read at 8 threads), ±3% (read ±0.1 s) is requested", Sentence(spec, status))
}

func TestARoundTakesAtLeastItsDurations(t *testing.T) {
	minute := &metav1.Duration{Duration: time.Minute}
	for name, test := range map[string]struct {
		phases []v1beta1.PhaseSpec
		want   time.Duration
	}{
		"operations":  {[]v1beta1.PhaseSpec{{Name: "read", Repeats: 2}}, 6 * time.Second},
		"durations":   {[]v1beta1.PhaseSpec{{Name: "read", Repeats: 1, Duration: minute}}, 3 * time.Minute},
		"a sweep":     {[]v1beta1.PhaseSpec{{Name: "read", Repeats: 1, Duration: minute, Sweep: v1beta1.Sweep{Threads: []int32{1, 2}}}}, 6 * time.Minute},
		"interleaved": {[]v1beta1.PhaseSpec{{Name: "read", Repeats: 1, Duration: minute, Interleave: &v1beta1.Interleave{Warmup: *minute}}}, 2 * time.Minute},
		"preparation": {[]v1beta1.PhaseSpec{{Name: "fill", Repeats: 1, Duration: minute, Type: v1beta1.PhasePrepare}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			spec := example().Spec
			spec.Phases = test.phases
			assert.Equal(t, test.want, LeastRoundTime(&spec))
		})
	}
}
