package answer

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs"
)

// run of reads and writes on hsha, itself again and two others; rates are what factors make of 1,000/s, with noise from round to round that all
// servers have of their own.
func run(rounds int, command string, factors map[string]float64) *archive.Run {
	servers := []string{"hsha", "hsha-again", "disruptor", "xedin"}
	e := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "trial-1", Annotations: map[string]string{runs.AnnotationCommand: command}}}
	for _, name := range servers {
		e.Spec.Servers = append(e.Spec.Servers, v1beta1.ServerSpec{Name: name, Type: strings.TrimSuffix(name, "-again")})
	}
	e.Spec.Phases = []v1beta1.PhaseSpec{{Name: "write", Operation: "write"}, {Name: "read", Operation: "read"}}
	r := &archive.Run{Experiment: e}
	clock := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	for round := 1; round <= rounds; round++ {
		for s, server := range servers {
			for _, phase := range []string{"write", "read"} {
				noise := 0.02 * math.Sin(float64(7*round+3*s)+float64(len(phase)))
				r.Rows = append(r.Rows, results.Row{
					Run: "1", Round: round, Installation: 1, Server: server, ServerType: strings.TrimSuffix(server, "-again"), Store: "cassandra",
					Operation: phase, Phase: phase, Threads: 8, Valid: true, StartedAt: clock, FinishedAt: clock.Add(30 * time.Second),
					Ops: results.Some(int64(30000)), OpRate: results.Some(1000 * factors[server] * (1 + noise)),
					Warnings: []string{"colocation: load pod 0 ran on the store's node n1"},
				})
				clock = clock.Add(30 * time.Second)
			}
		}
	}
	return r
}

var apart = map[string]float64{"hsha": 1, "hsha-again": 1, "disruptor": 1.2, "xedin": 1.005}

func screen(t *testing.T, r *archive.Run, style Style) string {
	t.Helper()
	result, err := compare.Within(r, compare.Defaults())
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, Of(r, result).Write(&out, style))
	return out.String()
}

func TestPrintsARowForEachServerWithItsVerdicts(t *testing.T) {
	text := screen(t, run(12, "make experiment EXPERIMENT=trial", apart), Style{Width: 100, Unicode: true})
	t.Log("\n" + text)
	lines := strings.Split(text, "\n")
	assert.Regexp(t, `^\s+write\s+read$`, lines[0])
	assert.Regexp(t, `^hsha \(baseline\)\s+\d+ op/s\s+\d+ op/s$`, lines[2])
	assert.Regexp(t, `^disruptor\s+1\.\d+ \[1\.\d+, 1\.\d+\] ▲\s+1\.\d+ \[1\.\d+, 1\.\d+\] ▲$`, lines[3])
	assert.Regexp(t, `^hsha-again \(A/A\)\s+[01]\.\d+ \[[01]\.\d+, [01]\.\d+\]\s`, lines[5], "the A/A arm comes last")
	assert.NotRegexp(t, `[▲▼=?]`, lines[5], "and has no verdict")
	assert.Contains(t, text, "96 of 96 measurements are valid.")
	assert.Contains(t, text, "one installation of the store")
	assert.Contains(t, text, "the load generator shares nodes with the store")
}

func TestNamesWhatItsVerdictsHoldFor(t *testing.T) {
	dedicated := run(12, "", apart)
	dedicated.Experiment.Spec.Store.Hosting = v1beta1.HostingDedicated
	assert.Contains(t, screen(t, dedicated, Style{Width: 200}), "Verdicts hold for at most 12 installations of the store, one for each round")
	assert.Contains(t, screen(t, run(12, "", apart), Style{Width: 200}), "Verdicts hold for one installation of the store, over at most 12 rounds")
	assert.Contains(t, screen(t, run(1, "", apart), Style{Width: 200}), "write, read: 1 round: an interval needs at least 3.")
}

func TestSaysWhatTheRatioOfADuetIsNot(t *testing.T) {
	r := run(12, "", apart)
	for i := range r.Rows { // reads next to one other server each
		row := &r.Rows[i]
		if row.Phase != "read" {
			continue
		}
		if row.Peer = "hsha"; row.Server == "hsha" {
			row.Peer = "disruptor"
		}
	}
	text := screen(t, r, Style{Width: 300, Unicode: true})
	lines := strings.Split(text, "\n")
	assert.Regexp(t, `^\s+op rate\s+op rate \(duet\)$`, lines[1])
	assert.Contains(t, text, "between servers that run alone the difference has another size")
	result, err := compare.Within(r, compare.Defaults())
	require.NoError(t, err)
	assert.Regexp(t, `^disruptor answers [\d.]+% more reads than hsha next to it \[`, sentenceOf(Of(r, result), "reads"))
	assert.Regexp(t, `^disruptor answers [\d.]+% more writes than hsha \[`, sentenceOf(Of(r, result), "writes"))
	assert.NotContains(t, screen(t, run(12, "", apart), Style{Width: 300}), "duet")
}

func TestSaysThatAConstantRateLeavesAStoreIdle(t *testing.T) {
	for _, c := range []struct {
		rate   float64
		saysSo bool
	}{{190, true}, {300, false}} {
		r := run(12, "", apart)
		for i := range r.Rows {
			if row := &r.Rows[i]; row.Phase == "read" {
				row.Operation, row.TargetRate, row.LatencyKind = "write", 200, "response"
				row.OpRate.Value *= c.rate / 1000
				row.CPU.PerOp = results.Some(time.Duration(1e9 / row.OpRate.Value))
			}
		}
		text := strings.ReplaceAll(screen(t, r, Style{Width: 1000}), "\n", " ")
		const says = "In read, hsha gets at most 19% of what it answers in a closed loop: verdicts there are of stores that are almost idle."
		assert.Equal(t, c.saysSo, strings.Contains(text, says), text)
	}
	assert.NotContains(t, screen(t, run(12, "", apart), Style{Width: 1000}), "idle")
}

func TestSaysThatAConstantRateOverloadsAStore(t *testing.T) {
	for _, c := range []struct {
		missed int // of 12 measurements of the baseline
		saysSo bool
	}{{7, true}, {6, false}} {
		r := run(12, "", apart)
		for i := range r.Rows {
			row := &r.Rows[i]
			if row.Phase != "read" {
				continue
			}
			row.TargetRate, row.LatencyKind = 1200, "response"
			row.CPU.PerOp = results.Some(time.Duration(1e9 / row.OpRate.Value))
			if row.Server != "hsha" || row.Round <= c.missed {
				row.WarningReasons = []v1beta1.Reason{v1beta1.GateTargetRateMissed}
			}
		}
		text := strings.ReplaceAll(screen(t, r, Style{Width: 1000}), "\n", " ")
		const says = "In read, hsha misses the constant rate in most measurements: figures there are those of an overload."
		assert.Equal(t, c.saysSo, strings.Contains(text, says), text)
	}
}

// sentenceOf returns the first sentence about the operations.
func sentenceOf(a Answer, operations string) string {
	for _, s := range a.Sentences {
		if strings.Contains(s.Text, operations) {
			return s.Text
		}
	}
	return ""
}

func TestTheLegendNamesRatiosAndDifferences(t *testing.T) {
	ratios, differences := []compare.Comparison{{}}, []compare.Comparison{{Estimate: ratio.Estimate{Difference: true}}}
	for _, c := range []struct {
		want    string
		columns []Column
	}{
		{"Ratio to hsha", []Column{{Comparisons: ratios}}},
		{"Ratio to hsha", []Column{{}}},
		{"Difference to hsha", []Column{{Comparisons: differences}}},
		{"Ratio to hsha, or difference in the unit shown", []Column{{Comparisons: differences}, {Comparisons: ratios}}},
	} {
		assert.Equal(t, c.want, Answer{Baseline: "hsha", Columns: c.columns}.effects())
	}
}

func TestFitsOneScreenAndWrapsWhereItIsNarrow(t *testing.T) {
	for _, width := range []int{100, 80, 60, 40} {
		text := screen(t, run(12, "make experiment EXPERIMENT=trial", apart), Style{Width: width, Unicode: true})
		for line := range strings.SplitSeq(text, "\n") {
			if strings.Contains(line, " ") {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), max(width, 50), "%d columns: %q", width, line)
			}
		}
		if width == 100 {
			assert.LessOrEqual(t, strings.Count(text, "\n"), 24)
		}
	}
}

func TestPrintsASCIIAndNoColourWhereThatIsAll(t *testing.T) {
	text := screen(t, run(12, "make experiment EXPERIMENT=trial", apart), Style{Width: 100})
	for _, r := range text {
		require.Less(t, r, rune(128), "%q", text)
	}
	assert.NotContains(t, text, "\x1b")
	assert.Contains(t, screen(t, run(12, "", apart), Style{Width: 100, Colour: true}), "\x1b[32m")
}

func TestSaysWhatResolvesWhatIsNot(t *testing.T) {
	near := map[string]float64{"hsha": 1, "hsha-again": 1, "disruptor": 1.2, "xedin": 1.02}
	for _, c := range []struct {
		name, command string
		rounds        int
		says          string
	}{
		{"one round has no interval", "make experiment EXPERIMENT=trial ROUNDS=1", 1, "For intervals and verdicts, 5 rounds, about 20 minutes: make experiment EXPERIMENT=trial ROUNDS=5"},
		{"a bare command", "ringside run trial --rounds 2 --server 'a,b'", 2, "ringside run trial --server 'a,b' --rounds 5"},
		{"no command is kept", "", 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.ReplaceAll(screen(t, run(c.rounds, c.command, near), Style{Width: 1000}), "\n", " ")
			if c.says == "" {
				assert.NotContains(t, text, "ROUNDS")
				return
			}
			assert.Contains(t, text, c.says)
		})
	}
}

func TestRoundsNeededFollowTheRunsOwnSpread(t *testing.T) {
	r := run(12, "make compare-servers BUDGET=20m PRECISION=3%", apart)
	result, err := compare.Within(r, compare.Defaults())
	require.NoError(t, err)
	require.NotEmpty(t, unresolved(result), "reads of xedin are 1.2% more, give or take 2.1%, and 3% is as good as equal")
	assert.Equal(t, "To resolve them, 27 rounds, about 108 minutes: make compare-servers ROUNDS=27", Of(r, result).Next)

	// Rounds without a phase that has settled take half the time, but the next run has all phases.
	whole := time.Time{}
	for _, row := range r.Rows {
		if row.Round <= 6 && row.FinishedAt.After(whole) {
			whole = row.FinishedAt
		}
	}
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Round > 6 {
			row.StartedAt, row.FinishedAt = whole.Add(row.StartedAt.Sub(whole)/2), whole.Add(row.FinishedAt.Sub(whole)/2)
		}
	}
	r.Experiment.Status.Precision = &v1beta1.PrecisionStatus{Settled: []v1beta1.SettledPhase{{Phase: "write", Rounds: 6}}}
	assert.Contains(t, Of(r, result).Next, "about 108 minutes")
}

// installed returns a run of that many installations, which differ more than the rounds within them.
func installed(count int, command string) *archive.Run {
	const perInstallation = 4
	r := run(perInstallation*count, command, apart)
	r.Experiment.Spec.Installations = int32(count)
	for i := range r.Rows {
		row := &r.Rows[i]
		number := (row.Round-1)/perInstallation + 1
		row.Installation, row.Round = number, row.Round-(number-1)*perInstallation
		row.Warmup = row.Round == 1
		if row.Server == "xedin" && row.Phase == "read" {
			row.OpRate.Value *= 1 + 0.05*float64(number%3)
		}
	}
	return r
}

func TestInstallationsNeededFollowTheSpreadBetweenThem(t *testing.T) {
	r := installed(6, "make experiment ROUNDS=4 ARGS='--set spec.installations=6 --set spec.keys=5'")
	result, err := compare.Within(r, compare.Defaults())
	require.NoError(t, err)
	require.NotEmpty(t, unresolved(result))
	assert.Equal(t, "To resolve them, 13 installations, about 208 minutes: make experiment ROUNDS=4 ARGS='--set spec.installations=13 --set spec.keys=5'", Of(r, result).Next)
}

func TestACommandSetsItsInstallations(t *testing.T) {
	for command, want := range map[string]string{
		"make experiment EXPERIMENT=x ROUNDS=3":               "make experiment EXPERIMENT=x ROUNDS=3 ARGS='--set spec.installations=7'",
		"make experiment ARGS='--set spec.installations=3'":   "make experiment ARGS='--set spec.installations=7'",
		"make experiment ARGS='--keys 5 --set spec.name=a'":   "make experiment ARGS='--set spec.installations=7 --keys 5 --set spec.name=a'",
		"make experiment ARGS=--keys=5 SERVER=a":              "make experiment ARGS='--set spec.installations=7 --keys=5' SERVER=a",
		"ringside run x --rounds 3":                           "ringside run x --rounds 3 --set spec.installations=7",
		"ringside run x --set spec.installations=12 --keys 5": "ringside run x --set spec.installations=7 --keys 5",
	} {
		assert.Equal(t, want, withInstallations(run(1, command, apart))(7))
	}
}

func TestNamesWhatMoreRoundsCannotResolveApartFromTheRest(t *testing.T) {
	r := run(12, "make experiment", map[string]float64{"hsha": 1, "hsha-again": 1, "disruptor": 1.025, "xedin": 1.012})
	result, err := compare.Within(r, compare.Defaults())
	require.NoError(t, err)
	for i := range result.Comparisons {
		if c := &result.Comparisons[i]; c.Primary && c.Server == "xedin" {
			c.Verdict, c.Margin, c.Ratio = ratio.Unresolved, ratio.Share(0), 1.0001
		} else if c.Primary && c.Server == "disruptor" {
			c.Verdict = ratio.Unresolved
		}
	}
	assert.Regexp(t, `^xedin on write and xedin on read would need more than 100 rounds: use more operations per phase, quieter machines, or an interleaved experiment\. `+
		`To resolve the rest, \d+ rounds, about \d+ minutes: make experiment ROUNDS=\d+$`, next(r, result))
}

func TestKnowsTheAPIsBounds(t *testing.T) {
	text, err := os.ReadFile("../../../charts/ringside/files/crds/ringside.dev_experiments.yaml")
	require.NoError(t, err)
	var crd apiextensions.CustomResourceDefinition
	require.NoError(t, yaml.Unmarshal(text, &crd))
	for name, most := range map[string]float64{"rounds": mostRounds, "installations": mostInstallations} {
		maximum := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"].Properties[name].Maximum
		require.NotNil(t, maximum, name)
		assert.InDelta(t, most, *maximum, 0, name)
	}
}

func TestSuggestsNoMoreRoundsThanTheAPIAccepts(t *testing.T) {
	r := run(12, "make experiment", apart)
	r.Experiment.Spec.WarmupRounds = 80 // 27 more would be 107
	result, err := compare.Within(r, compare.Defaults())
	require.NoError(t, err)
	assert.Equal(t, "xedin on read would need more than 20 rounds: use more operations per phase, quieter machines, or an interleaved experiment.", next(r, result))
}

func TestAnArmThatDiffersFromItselfIsSaidFirst(t *testing.T) {
	r := run(12, "make experiment", map[string]float64{"hsha": 1, "hsha-again": 1.1, "disruptor": 1.2, "xedin": 1})
	text := screen(t, r, Style{Width: 1000, Unicode: true})
	assert.Contains(t, text, "The A/A arm differs from itself")
	assert.NotContains(t, text, "▲")
	assert.Contains(t, text, "Repeat it with nothing else running on these machines: make experiment ROUNDS=12")
}

// lose makes so many rounds of a server invalid.
func lose(r *archive.Run, server string, rounds int, reason v1beta1.Reason) {
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Server == server && row.Round <= rounds {
			row.Valid, row.Reasons = false, []v1beta1.Reason{reason}
		}
	}
}

func TestScreen_givesTheReasonOfAQuestionMarkAndAdviceThatHelps(t *testing.T) {
	for name, c := range map[string]struct {
		rounds        int
		change        func(*archive.Run)
		says          []string
		saysNot, next string
	}{
		"slow rounds are lost": {12, func(r *archive.Run) { lose(r, "xedin", 9, v1beta1.GateTargetRateMissed) },
			[]string{"not known ?", "write, read: xedin lacks 9 of 12 rounds (TargetRateMissed)."}, "to resolve", "TargetRateMissed: Ask for a lower rate, or give the load more threads."},
		"one is lost": {12, func(r *archive.Run) { lose(r, "disruptor", 1, v1beta1.GateLoadCPUSaturated) },
			[]string{"write, read: disruptor lacks 1 of 12 rounds (LoadCPUSaturated): its interval allows for that."}, "not known", "To resolve them"},
		"of the A/A arm": {12, func(r *archive.Run) { lose(r, "hsha-again", 3, v1beta1.GateOperationsFailed) },
			[]string{"write, read: hsha-again lacks 3 of 12 rounds (OperationsFailed)."}, "to resolve", "OperationsFailed: Look at `errors_by_kind`."},
		"no spread": {3, func(r *archive.Run) {
			for i := range r.Rows {
				r.Rows[i].OpRate = results.Some(20.0)
			}
		}, []string{"write, read: 3 rounds without any difference between them: no spread is no certainty"}, "make experiment", ""},
		"a server without a phase": {12, func(r *archive.Run) {
			r.Rows = slices.DeleteFunc(r.Rows, func(row results.Row) bool { return row.Server == "xedin" && row.Phase == "write" })
		}, []string{"write at 8 threads was not measured with xedin."}, "", "To resolve them"},
		"infinite": {12, func(r *archive.Run) { r.Rows[4].OpRate = results.Some(math.Inf(1)) },
			[]string{"write: disruptor lacks 1 of 12 rounds (op rate: +Inf has no ratio)"}, "", "To resolve them"},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(c.rounds, "make experiment", apart)
			c.change(r)
			text := strings.ReplaceAll(screen(t, r, Style{Width: 2000, Unicode: true}), "\n", " ")
			for _, says := range c.says {
				assert.Contains(t, text, says)
			}
			if c.saysNot != "" {
				assert.NotContains(t, strings.ToLower(text), c.saysNot)
			}
			assert.Contains(t, text, c.next)
			assert.LessOrEqual(t, strings.Count(screen(t, r, Style{Width: 100, Unicode: true}), "\n"), 24)
		})
	}
}

// Each row of two runs is a ratio to its own server of the first run.
func TestScreen_ofTwoRunsHasTheBaselineOfEachRow(t *testing.T) {
	a, b := run(12, "", apart), run(12, "", map[string]float64{"hsha": 1, "hsha-again": 1, "disruptor": 0.13, "xedin": 1})
	b.Experiment.Name, b.Experiment.CreationTimestamp = "trial-2", metav1.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
	lose(b, "xedin", 1, v1beta1.GateTargetRateMissed)
	result, err := compare.Runs(a, b, compare.Options{AllowDifferent: true})
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, Of(a, result).Write(&out, Style{Width: 100, Unicode: true}))
	lines := strings.Split(out.String(), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "20261129-000000/disruptor ") {
			assert.Regexp(t, `^00010101-000000/disruptor \(baseline\)\s+1\d\d\d op/s`, lines[i-1])
			assert.Regexp(t, `^20261129-000000/disruptor\s+0\.1\d+ \[[\d., ]+\] ▼`, line)
		}
	}
	assert.Contains(t, out.String(), "20261129-000000/disruptor")
	assert.Contains(t, out.String(), "Ratio to the baseline above")
	assert.Contains(t, out.String(), "190 of 192 measurements are valid.", "of both runs")
}

// The 95th percentiles of closed loops at 1,000 and 2,000 operations per second belong to different loads.
func TestScreen_saysThatAClosedLoopOffersEachServerAnotherLoad(t *testing.T) {
	r := run(12, "", map[string]float64{"hsha": 1, "hsha-again": 1, "disruptor": 2, "xedin": 1})
	for i := range r.Rows {
		r.Rows[i].LatencyKind, r.Rows[i].P95 = v1beta1.LatencyService, results.Some(time.Duration(1e12/r.Rows[i].OpRate.Value))
	}
	result, err := compare.Within(r, compare.Options{Primary: "latency_p95_ms"})
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, Of(r, result).Write(&out, Style{Width: 2000, Unicode: true}))
	assert.Regexp(t, `disruptor, write: latencies are at 1999\.4 ops/s, and those of hsha at 1000\.9 ops/s: a closed loop offers each server another load; `+
		`compare latencies at a constant rate \(targetRate\)\. The same holds for disruptor on read\.`, out.String())
}
