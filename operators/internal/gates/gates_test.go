package gates

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func good() Evidence {
	start := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	return Evidence{
		Spec: v1beta1.MeasurementSpec{ServerType: "disruptor", Operations: 1000},
		Parts: []v1beta1.Part{
			{Index: 0, Node: "load1", CPUUsedPermille: new(int64(500)), CPUWaitedPermille: new(int64(20))},
			{Index: 1, Node: "load2", CPUUsedPermille: new(int64(0)), CPUWaitedPermille: new(int64(0))},
		},
		Result:        v1beta1.Result{Operations: 1000, StartedAt: metav1.NewMicroTime(start), FinishedAt: metav1.NewMicroTime(start.Add(100 * time.Second))},
		Proofs:        []v1beta1.Proof{{Server: "disruptor", Class: "c.D", Port: 9160, Pod: "s-0", PluginSHA256: "f"}, {Server: "disruptor", Class: "c.D", Port: 9160, Pod: "s-1", PluginSHA256: "f"}},
		ExpectedClass: "c.D",
		Ports:         []int32{9160},
		StorePods:     []string{"s-0", "s-1"},
		ServerPods:    []string{"s-0", "s-1"},
		Environment:   v1beta1.Environment{StoreNodes: []v1beta1.NodeInfo{{Name: "n1", Disk: "ssd"}, {Name: "n2", Disk: "ssd"}}},
	}
}

// told is a verdict by its messages.
type told struct{ Reasons, Warnings []string }

func judged(t *testing.T, e Evidence) told {
	t.Helper()
	verdict := Judge(e)
	return told{messages(t, verdict.Invalid), messages(t, verdict.Warnings)}
}

// messages returns the messages of findings. Each begins with the name of the gate to which the catalogue assigns its reason.
func messages(t *testing.T, findings Findings) []string {
	t.Helper()
	for _, one := range findings {
		name, _, _ := strings.Cut(one.Message, ": ")
		at := slices.IndexFunc(Catalogue(), func(g Gate) bool { return slices.Contains(g.Reasons, one.Reason) })
		require.GreaterOrEqual(t, at, 0, "no gate has the reason %q of: %s", one.Reason, one.Message)
		assert.Equal(t, Catalogue()[at].Name, name, "reason %s of: %s", one.Reason, one.Message)
	}
	return findings.Messages()
}

func TestGoodEvidenceIsValidAndWithoutAWarning(t *testing.T) {
	assert.Equal(t, told{}, judged(t, good()))
}

func TestEveryGateTellsItsReasonWarnsOrStaysSilent(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Evidence)
		set    func(*v1beta1.Gates, v1beta1.GateMode)
		says   string
		reason v1beta1.Reason
	}{
		{"errors", func(e *Evidence) { e.Result.Operations, e.Result.Errors = 990, 10 },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.Errors = m }, "errors: 10 operations failed", "OperationsFailed"},
		{"errors with the last of them", func(e *Evidence) {
			e.Result.Operations, e.Result.Errors, e.Parts[1].LastError = 990, 10, "h:1: frame too large"
		}, func(g *v1beta1.Gates, m v1beta1.GateMode) { g.Errors = m }, "errors: 10 operations failed: h:1: frame too large", "OperationsFailed"},
		{"errors beyond the tolerated share", func(e *Evidence) { e.Result.Operations, e.Result.Errors = 980, 20; e.Gates.ErrorsMax = "1.5%" },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.Errors = m }, "errors: 20 of 1000 operations failed, more than the tolerated 1.5%", "OperationsFailed"},
		{"store restart", func(e *Evidence) { e.StoreChange = "store pod s-1 restarted" },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.StoreRestart = m }, "store restart: store pod s-1 restarted", "StoreRestarted"},
		{"load CPU", func(e *Evidence) { e.Parts[0].CPUUsedPermille = new(int64(987)) },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.LoadCPU = m }, "load CPU: load pod 0 used 98.7% of its available CPU", "LoadCPUSaturated"},
		{"load CPU that is not known", func(e *Evidence) { e.Parts[0].CPUUsedPermille = nil; e.Gates.Throttling = v1beta1.GateOff },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.LoadCPU = m }, "load CPU: the CPU use of load pod 0 is not known", "LoadCPUUnknown"},
		{"load wait", func(e *Evidence) { e.Parts[1].CPUWaitedPermille = new(int64(345)) },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.LoadWait = m }, "load wait: load pod 1 waited for a core 34.5% of the time in which it was runnable", "LoadWaited"},
		{"load wait that is not known", func(e *Evidence) { e.Parts[1].CPUWaitedPermille = nil },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.LoadWait = m }, "load wait: the time that load pod 1 waited for a core is not known", "LoadWaitUnknown"},
		{"target rate", func(e *Evidence) { e.Spec.TargetRate, e.Result.OpRate = 1000, "989.9" },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.TargetRate = m }, "target rate: 989.9 operations/s were answered, 98.9% of the target 1000", "TargetRateMissed"},
		{"target rate of one side of a duet", func(e *Evidence) { e.Spec.TargetRate, e.Spec.Peer, e.Result.OpRate = 1001, "hsha", "490.0" },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.TargetRate = m }, "target rate: 490.0 operations/s were answered, 97.9% of the target 500.5", "TargetRateMissed"},
		{"throttling that is not known", func(e *Evidence) { e.Parts[0].CPUUsedPermille = nil; e.Gates.LoadCPU = v1beta1.GateOff },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.Throttling = m }, "throttling: the time that its CPU limit throttled load pod 0 is not known", "LoadThrottlingUnknown"},
		{"throttling", func(e *Evidence) { e.Parts[1].ThrottledMillis = 1500 },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.Throttling = m }, "throttling: its CPU limit throttled load pod 1 for 1.5s", "LoadThrottled"},
		{"a store that is held back", func(e *Evidence) { e.StoreLimited = []string{"container c of store pod s-0"} },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.Throttling = m },
			"throttling: a LimitRange of the namespace gave container c of store pod s-0 a CPU limit: remove the default from it, or set a limit in the store's values (resources)", "StoreCPULimited"},
		{"colocation", func(e *Evidence) { e.Parts[1].Node = "n2" },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.Colocation = m }, "colocation: load pod 1 ran on the store's node n2", "LoadOnStoreNode"},
		{"another run on the store's node and the load's", func(e *Evidence) {
			e.Environment.LoadNodes = []v1beta1.NodeInfo{{Name: "l1"}, {Name: "n2"}}
			e.OtherRuns = []OtherRun{{Namespace: "theirs", Name: "quorum", Nodes: []string{"l1", "n2", "x"}}}
		}, func(g *v1beta1.Gates, m v1beta1.GateMode) { g.OtherRuns = m }, "other runs: run quorum of namespace theirs used n2, l1 during the phase", "NodesShared"},
		{"disk", func(e *Evidence) { e.Environment.StoreNodes[1].Disk = "hdd" },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.Disk = m }, "disk: the store's node n2 is not labelled ringside.dev/disk=ssd but hdd", "DiskNotSSD"},
		{"start skew", func(e *Evidence) { e.Result.StartSkewMillis = 1001 },
			func(g *v1beta1.Gates, m v1beta1.GateMode) { g.StartSkew = m }, "start skew: load pods began 1.001s apart", "LoadStartSkewed"},
	} {
		for mode, want := range map[v1beta1.GateMode]told{
			"":                  {Reasons: []string{test.says}},
			v1beta1.GateEnforce: {Reasons: []string{test.says}},
			v1beta1.GateWarn:    {Warnings: []string{test.says}},
			v1beta1.GateOff:     {},
		} {
			t.Run(test.name+" "+string(mode), func(t *testing.T) {
				evidence := good()
				test.change(&evidence)
				test.set(&evidence.Gates, mode)
				assert.Equal(t, want, judged(t, evidence))
				verdict := Judge(evidence)
				for _, reason := range append(verdict.Invalid.Reasons(), verdict.Warnings.Reasons()...) {
					assert.Equal(t, test.reason, reason)
				}
			})
		}
	}
}

func TestLittleIsNotHeldAgainstAMeasurement(t *testing.T) {
	evidence := good()
	evidence.Parts[0].ThrottledMillis = 900 // of 100 s
	evidence.Parts[0].CPUUsedPermille = new(int64(949))
	evidence.Parts[0].CPUWaitedPermille = new(int64(100))
	evidence.Result.StartSkewMillis = 1000
	evidence.Spec.TargetRate, evidence.Result.OpRate = 1000, "990.0"
	evidence.Result.Operations, evidence.Result.Errors, evidence.Gates.ErrorsMax = 985, 15, "1.5%"
	assert.True(t, Judge(evidence).Valid())
}

func TestTheBoundsOfGatesAreThoseOfTheExperiment(t *testing.T) {
	evidence := good()
	evidence.Parts[0].CPUUsedPermille, evidence.Parts[1].ThrottledMillis, evidence.Result.StartSkewMillis = new(int64(990)), 4000, 3000
	evidence.Parts[0].CPUWaitedPermille = new(int64(150))
	evidence.Spec.TargetRate, evidence.Result.OpRate = 1000, "960.0"
	assert.Len(t, judged(t, evidence).Reasons, 5)
	evidence.Gates = v1beta1.Gates{LoadCPUMax: "99.5%", LoadWaitMax: "20%", TargetRateMin: "95%", ThrottlingMax: "5%", StartSkewMax: &metav1.Duration{Duration: 5 * time.Second}}
	assert.Empty(t, judged(t, evidence).Reasons)
}

func TestWrongVariantAndLostOperationsAreAlwaysInvalid(t *testing.T) {
	off := v1beta1.Gates{Errors: v1beta1.GateOff, StoreRestart: v1beta1.GateOff, LoadCPU: v1beta1.GateOff, LoadWait: v1beta1.GateOff, TargetRate: v1beta1.GateOff, Throttling: v1beta1.GateOff,
		Colocation: v1beta1.GateOff, OtherRuns: v1beta1.GateOff, Disk: v1beta1.GateOff, StartSkew: v1beta1.GateOff}
	for _, test := range []struct {
		name   string
		change func(*Evidence)
		says   string
	}{
		{"a pod without proof", func(e *Evidence) { e.Proofs = e.Proofs[:1] }, "variant: store pod s-1 logged no proof for server disruptor"},
		{"no store pod at all", func(e *Evidence) { e.ServerPods = nil }, "variant: no store pod logged a proof"},
		{"another server", func(e *Evidence) { e.Proofs[1].Server = "hsha" }, "variant: store pod s-1 proves server hsha, not disruptor"},
		{"another class", func(e *Evidence) {
			e.Proofs[0].Class, e.Proofs[1].Class = "c.H", "c.H"
			e.ServerPods = e.ServerPods[:1]
		}, "variant: store pod s-0 runs c.H, but c.D was expected"},
		{"another port", func(e *Evidence) { e.Ports = []int32{9161}; e.ServerPods = e.ServerPods[:1] }, "variant: server disruptor of pod s-0 listens on port 9160, but the load was sent to [9161]"},
		{"another build on one pod", func(e *Evidence) { e.Proofs[1].PluginSHA256 = "0" }, "variant: store pods s-0 and s-1 do not run the same build"},
		{"lost operations", func(e *Evidence) { e.Result.Operations = 998; e.Result.Errors = 1 }, "counts: 998 operations were answered and 1 failed, of 1000 ordered"},
		{"fewer nodes than asked for at the start", func(e *Evidence) { e.Nodes, e.ReadyPods = len(e.StorePods)+1, len(e.StorePods)+1 }, "nodes: the phase began on 2 of 3 requested store pods"},
		{"fewer nodes than asked for at the end", func(e *Evidence) { e.Nodes, e.ReadyPods = 2, 1 }, "nodes: 1 of 2 requested store pods were ready at the end of the phase"},
		{"nothing answered", func(e *Evidence) { e.Result.Operations = 0 }, "counts: no operation was answered"},
		{"counts that contradict each other", func(e *Evidence) { e.Parts[1].Message = "the log has 5, the tool says 6" }, "counts: load pod 1: the log has 5, the tool says 6"},
	} {
		t.Run(test.name, func(t *testing.T) {
			evidence := good()
			evidence.Gates = off
			test.change(&evidence)
			assert.Equal(t, []string{test.says}, judged(t, evidence).Reasons)
		})
	}
}

func TestACapacityBeyondWhatWasTriedIsNone(t *testing.T) {
	step := func(rate int64, kept bool) v1beta1.CapacityStep {
		return v1beta1.CapacityStep{Rate: rate, Operations: 1000, Kept: kept}
	}
	for name, test := range map[string]struct {
		found *v1beta1.Capacity
		want  told
	}{
		"found":    {&v1beta1.Capacity{Rate: 700, Settled: true, Steps: []v1beta1.CapacityStep{step(500, true), step(1000, false)}}, told{}},
		"no word":  {nil, told{Reasons: []string{"capacity: the load reported no search"}}},
		"none":     {&v1beta1.Capacity{Steps: []v1beta1.CapacityStep{step(500, false), step(250, false)}}, told{Reasons: []string{"capacity: none of 2 rates met p99.9 <= 20ms, the lowest was 250/s"}}},
		"all":      {&v1beta1.Capacity{Rate: 1000, Steps: []v1beta1.CapacityStep{step(500, true), step(1000, true)}}, told{Reasons: []string{"capacity: p99.9 <= 20ms was met up to 1000/s, the highest rate tried: raise capacity.from, capacity.to or the phase's duration"}}},
		"too soon": {&v1beta1.Capacity{Rate: 700, Steps: []v1beta1.CapacityStep{step(500, true), step(1000, false)}}, told{Warnings: []string{"capacity: the search ran out of time before it settled, after 2 steps"}}},
	} {
		t.Run(name, func(t *testing.T) {
			evidence := good()
			evidence.Spec.Operations = 0
			evidence.Spec.Capacity = &v1beta1.CapacitySpec{Percentile: "99.9", Bound: metav1.Duration{Duration: 20 * time.Millisecond}}
			evidence.Result.Capacity = test.found
			assert.Equal(t, test.want, judged(t, evidence))
		})
	}
}

func TestAStepTooShortToSeeAQueueGrowIsWarnedOf(t *testing.T) {
	for name, test := range map[string]struct {
		most v1beta1.Decimal
		want []string
	}{
		"fine enough":  {"25.0", nil},
		"not so":       {"126.0", []string{"capacity: at 500/s the queue may have grown undetected by 126.0/s, 25% of the rate: use a longer capacity.step"}},
		"by a latency": {"", nil},
	} {
		evidence := good()
		evidence.Spec.Operations = 0
		evidence.Spec.Capacity = &v1beta1.CapacitySpec{By: v1beta1.ByQueue, Percentile: "99.9", Precision: "5%"}
		evidence.Result.Capacity = &v1beta1.Capacity{Rate: 520, Settled: true, Steps: []v1beta1.CapacityStep{
			{Rate: 500, Operations: 1000, Kept: true, QueueGrowthMost: test.most}, {Rate: 540, Operations: 1000, QueueGrowthMost: "300.0"}}}
		assert.Equal(t, told{Warnings: test.want}, judged(t, evidence), name)
	}
}

func TestAnObjectiveThatToleratesErrorsIsNotWithheldForThem(t *testing.T) {
	evidence := good()
	evidence.Spec.Operations, evidence.Result.Errors = 0, 4
	evidence.Spec.Capacity = &v1beta1.CapacitySpec{Percentile: "99", FailedMax: "0.5%"}
	evidence.Result.Capacity = &v1beta1.Capacity{Rate: 9, Settled: true, Steps: []v1beta1.CapacityStep{{Rate: 8, Kept: true}, {Rate: 10}}}
	assert.True(t, Judge(evidence).Valid())
	evidence.Spec.Capacity.FailedMax = "0%"
	assert.False(t, Judge(evidence).Valid())
}

func TestAnOutcomeThatIsNoAnswerIsNoError(t *testing.T) {
	evidence := good()
	evidence.Result.Operations, evidence.Result.Unanswered = 900, 100
	assert.Equal(t, told{}, judged(t, evidence))
	evidence.Result.Unanswered = 90
	assert.Equal(t, []string{"counts: 900 operations were answered and 0 failed, 90 neither, of 1000 ordered"}, judged(t, evidence).Reasons)
}

func TestOperationsThatDidNotBeginAreLostWhateverTheGatesTolerate(t *testing.T) {
	const reason = "counts: 3 operations were due but had not started within timeout-ms, so that no latency is known: use a lower rate"
	evidence := good()
	evidence.Spec.Operations, evidence.Spec.TargetRate = 0, 100
	evidence.Result.OpRate, evidence.Result.NotBegun = "100.0", 3
	evidence.Gates.TargetRate, evidence.Gates.TargetRateMin = v1beta1.GateWarn, "0.1%"
	assert.Equal(t, []string{reason}, judged(t, evidence).Reasons)
	evidence.Spec.Faults = []v1beta1.FaultSpec{{}}
	assert.Equal(t, told{Warnings: []string{reason}}, judged(t, evidence), "what a fault cost is known all the same")
}

func TestPhaseBoundInTimeHasNoCountToKeep(t *testing.T) {
	evidence := good()
	evidence.Spec.Operations = 0
	evidence.Result.Operations = 123456
	assert.True(t, Judge(evidence).Valid())
}

func TestAllReasonsAreToldAtOnce(t *testing.T) {
	evidence := good()
	evidence.Result.Operations, evidence.Result.Errors = 900, 50
	evidence.Environment.StoreNodes[0].Disk = "unknown"
	assert.Equal(t, []string{
		"counts: 900 operations were answered and 50 failed, of 1000 ordered",
		"errors: 50 operations failed",
		"disk: the store's node n1 is not labelled ringside.dev/disk=ssd but unknown",
	}, judged(t, evidence).Reasons)
}

func TestRestIsJudgedByWhatTheStoreTellsAndByNothingOfALoad(t *testing.T) {
	evidence := good()
	evidence.Spec = v1beta1.MeasurementSpec{ServerType: "disruptor", Idle: true}
	evidence.Parts = evidence.Parts[:1]
	evidence.Parts[0].CPUUsedPermille, evidence.Parts[0].CPUWaitedPermille = nil, new(int64(900))
	evidence.Result.Operations = 0
	evidence.Result.StoreCPU = &v1beta1.StoreCPU{Windows: 30, IdleCores: "0.0512"}
	assert.Equal(t, told{}, judged(t, evidence))

	for _, nothing := range []*v1beta1.StoreCPU{nil, {UnknownWindows: 30}} {
		evidence.Result.StoreCPU = nothing
		assert.Equal(t, []string{"counts: the store's CPU time at rest is not known: its pods did not report it"}, judged(t, evidence).Reasons)
	}
	evidence.StoreChange = "store pod s-1 restarted"
	assert.Contains(t, judged(t, evidence).Reasons, "store restart: store pod s-1 restarted")
}

func TestAProfileHasNoFigureToBeTakenAway(t *testing.T) {
	evidence := good()
	evidence.Spec = v1beta1.MeasurementSpec{ServerType: "disruptor", TargetRate: 1000, Profile: &v1beta1.ProfileOrder{Event: v1beta1.ProfileCPU}}
	evidence.Parts[0].CPUUsedPermille, evidence.Parts[1].CPUWaitedPermille = nil, new(int64(999))
	evidence.Result.OpRate = "1.0"
	evidence.Result.Profile = &v1beta1.Profile{}
	assert.Equal(t, told{}, judged(t, evidence), "nobody's pace is measured")

	evidence.StoreChange, evidence.Result.Errors = "store pod s-1 restarted", 10
	evidence.Result.Profile.LeftOut = []string{"s-1: connection refused"}
	assert.Equal(t, told{Warnings: []string{"profile: s-1: connection refused", "errors: 10 operations failed", "store restart: store pod s-1 restarted"}}, judged(t, evidence))

	evidence = good()
	evidence.Spec.Profile = &v1beta1.ProfileOrder{}
	assert.Equal(t, told{Warnings: []string{"profile: the load pod reported none"}}, judged(t, evidence))
	evidence.ExpectedClass = "c.Other"
	assert.False(t, Judge(evidence).Valid(), "a profile of another server is none of this one")
}

func TestFiguresThatAreNeverCompared_makeNothingInvalid(t *testing.T) {
	evidence := good()
	evidence.Spec.Warmup = true
	evidence.Result.StartSkewMillis, evidence.Spec.TargetRate, evidence.Result.OpRate = 60_000, 100, "1.0"
	evidence.Parts[0].CPUUsedPermille = new(int64(1000))
	evidence.Environment.StoreNodes[0].Disk = "unknown"
	verdict := Judge(evidence)
	assert.True(t, verdict.Valid(), "%v", verdict.Invalid)
	assert.Equal(t, []v1beta1.Reason{v1beta1.GateLoadCPUSaturated, v1beta1.GateTargetRateMissed, v1beta1.GateDiskNotSSD, v1beta1.GateLoadStartSkewed}, verdict.Warnings.Reasons())
	evidence.Result.Errors = 1
	assert.Contains(t, Judge(evidence).Invalid.Reasons(), v1beta1.GateOperationsFailed, "the data are incomplete")
	evidence.Spec.Warmup = false
	assert.Len(t, Judge(evidence).Invalid, 6)
}

func TestAStoreThatRestartedBeforeIsToldAsAWarning(t *testing.T) {
	evidence := good()
	evidence.RestartedBefore, evidence.Repeated = "store pod s-1 restarted", "compact of node 1"
	verdict := Judge(evidence)
	assert.True(t, verdict.Valid())
	assert.Equal(t, "store restart: store pod s-1 restarted", messages(t, verdict.Warnings)[0])
	assert.Equal(t, []v1beta1.Reason{v1beta1.GateStoreRestartedBefore, v1beta1.GateTaskRepeated}, verdict.Warnings.Reasons())
}
