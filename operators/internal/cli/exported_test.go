package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// The operator removes runs after spec.ttlAfterFinished only if they have this mark.
func TestOnlyAFinishedRunThatWasExportedWholeIsMarkedSo(t *testing.T) {
	mark := func(d *desk) string { return d.experiment().Annotations[v1beta1.AnnotationExportedEnd] }
	t.Run("finished", func(t *testing.T) {
		d := newDesk(t, simulated.Operator{})
		d.do(exitDone, "run", "toy", "--server", "slow")
		assert.Equal(t, v1beta1.ExportMark(*d.experiment().Status.FinishedAt), mark(d), "by the cluster's clock, whatever this machine's is")
	})
	t.Run("stopped", func(t *testing.T) {
		d := newDesk(t, simulated.Operator{HangAfter: 2})
		d.hanging(2)
		d.do(exitDone, "export")
		assert.Empty(t, mark(d))
	})
	t.Run("finished, with a file in the way", func(t *testing.T) {
		d := newDesk(t, simulated.Operator{})
		require.NoError(t, os.MkdirAll(toyFolder, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(toyFolder, "hlog"), nil, 0o600))
		d.do(exitFailed, "run", "toy", "--server", "slow")
		assert.Empty(t, mark(d))
	})
	t.Run("finished, and not archived as was asked", func(t *testing.T) {
		d := newDesk(t, simulated.Operator{})
		require.NoError(t, os.Mkdir("volume", 0o755))
		require.NoError(t, os.WriteFile("volume/toy", nil, 0o600)) // blocks the experiment's folder
		_, said := d.do(exitFailed, "run", "toy", "--server", "slow", "--archive", "volume")
		assert.Contains(t, said, "it is kept in the cluster: ringside export 20261121-001500 --archive volume tries again")
		assert.Empty(t, mark(d))
		require.NoError(t, os.Remove("volume/toy"))
		d.do(exitDone, "export", "20261121-001500", "--archive", "volume")
		assert.NotEmpty(t, mark(d))
		assert.FileExists(t, "volume/toy/20261121-001500/SHA256SUMS")
	})
	t.Run("stopped, and to be archived", func(t *testing.T) {
		d := newDesk(t, simulated.Operator{HangAfter: 2})
		require.NoError(t, os.Mkdir("volume", 0o755))
		d.hanging(2)
		d.do(exitDone, "export", "--archive", "volume")
		assert.NoDirExists(t, "volume/toy")
	})
}

func TestExportsTheStacksOfProfilesAndDrawsThem(t *testing.T) {
	d := newDesk(t, simulated.Operator{})
	d.do(exitDone, "run", "toy", "--server", "slow", "--set", "spec.phases.write.profile=[CPU, Wall]")
	files, err := filepath.Glob(filepath.Join(toyFolder, "profiles", "*-slow-write-*-1.collapsed.gz"))
	require.NoError(t, err)
	assert.Len(t, files, 2)
	page, err := os.ReadFile(filepath.Join(toyFolder, "report.html"))
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(page), `class="frames"`))
}

// A4, F5: an export that lacks a measurement never counts as complete.
func TestAnExportThatLacksAMeasurementIsNotCalledComplete(t *testing.T) {
	d := newDesk(t, simulated.Operator{})
	require.NoError(t, os.Mkdir("volume", 0o755))
	d.do(exitDone, "run", "toy", "--server", "slow", "--detach")
	require.Eventually(t, func() bool { return d.experiment().Status.FinishedAt != nil }, time.Minute, time.Millisecond)
	out, _ := d.do(exitDone, "list")
	assert.Regexp(t, `Finished +4 +4 +0 +ringside export `+toyRun+` +none`, out)

	d.faults.List = func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
		err := c.List(ctx, list, opts...)
		if all, is := list.(*v1beta1.MeasurementList); is {
			all.Items = all.Items[:3]
		}
		return err
	}
	_, said := d.do(exitFailed, "export")
	assert.Contains(t, said, "some measurements could not be exported: the run counts 4 finished measurements, but the cluster has 3")
	assert.Contains(t, said, "; it is kept in the cluster: ringside export "+toyRun+" tries again")
	assert.Empty(t, d.experiment().Annotations[v1beta1.AnnotationExportedEnd])
	assert.NoFileExists(t, filepath.Join(toyFolder, archive.DigestsFile))
	out, _ = d.do(exitDone, "list")
	assert.Regexp(t, `Finished +4 +4 +0 +`+toyFolder+` +ringside export `+toyRun+` +incomplete`, out)
	const lacks = "the export has 3 of 4 finished measurements; ringside export " + toyRun + " completes it while the run is in the cluster"
	out, said = d.do(exitFailed, "table")
	assert.Equal(t, 3, strings.Count(out, "\nslow "), "what is there is shown")
	assert.Contains(t, said, toyFolder+" is incomplete: "+lacks)
	d.do(exitDone, "report")
	page, err := os.ReadFile(filepath.Join(toyFolder, archive.ReportFile))
	require.NoError(t, err)
	assert.Contains(t, string(page), "the export has 3 of 4 finished measurements")
	_, said = d.do(exitBadInput, "archive", "--to", "volume")
	assert.Contains(t, said, "is not archived: the export has 3 of 4 finished measurements")

	d.faults.List = nil
	d.do(exitDone, "export")
	assert.NotEmpty(t, d.experiment().Annotations[v1beta1.AnnotationExportedEnd])
	out, _ = d.do(exitDone, "list")
	assert.Regexp(t, toyFolder+` +complete`, out)
	d.do(exitDone, "table")
	d.do(exitDone, "archive", "--to", "volume")
}

// A log that cannot be read is reported before the folder counts as complete.
func TestNothingIsArchivedThatIsKnownToBeIncomplete(t *testing.T) {
	d := newDesk(t, simulated.Operator{})
	require.NoError(t, os.Mkdir("volume", 0o755))
	d.faults.Get = func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
		if _, is := object.(*corev1.ConfigMap); is {
			return context.DeadlineExceeded
		}
		return c.Get(ctx, key, object, opts...)
	}
	_, said := d.do(exitFailed, "run", "toy", "--server", "slow")
	assert.Contains(t, said, "could not be exported: reading log ")
	assert.NoFileExists(t, filepath.Join(toyFolder, archive.DigestsFile))
	_, said = d.do(exitBadInput, "archive", "--to", "volume")
	assert.Contains(t, said, "is not archived: the export is incomplete: there is no SHA256SUMS; ringside export completes it")
}

func TestTellsWhyAVerdictIsWithheld(t *testing.T) {
	c := compare.Comparison{
		Baseline: "hsha", Server: "x", Load: "read", Metric: compare.Metrics()[0], Primary: true,
		Finding: ratio.Finding{Verdict: ratio.Unresolved, Withheld: true, Reason: "within the noise that the A/A arm shows, 0.900 to 1.111"},
	}
	c.Estimate = ratio.Estimate{Ratio: 1.05, Low: 1.04, High: 1.06, MDE: 1.01, Rounds: 5}
	var out, told bytes.Buffer
	app := &App{Out: &out, Err: &told}
	require.NoError(t, app.printComparison(&compare.Result{Comparisons: []compare.Comparison{c}}, "table"))
	assert.Contains(t, told.String(), "x, read, op rate, ratio 1.050: within the noise that the A/A arm shows, 0.900 to 1.111")
}

// lossy writes a run of twelve compared rounds of hsha and xedin, of whose measurements some are invalid.
func lossy(t *testing.T, run string, lost func(server string, round int32) bool) string {
	t.Helper()
	operations := int64(60)
	e := simulated.Experiment("toy", run, []v1beta1.ServerSpec{{Name: "hsha"}, {Name: "xedin"}}, 12, 0,
		v1beta1.PhaseSpec{Name: "read", Repeats: 1, Threads: 8, Operations: &operations})
	folder, err := simulated.Archive("results", e, func(_ int, m *v1beta1.Measurement) {
		if lost(m.Spec.Server, m.Spec.Round) {
			m.Status.Valid, m.Status.Reasons = false, []v1beta1.Reason{v1beta1.GateTargetRateMissed}
			m.Status.InvalidReasons = []string{"target rate: 1 operations/s were answered, 1% of the target 100"}
		}
	})
	require.NoError(t, err)
	require.NoError(t, folder.WriteDigests())
	return folder.Path
}

func TestCompare_saysWhatIsMissingAndDoesNotPass(t *testing.T) {
	d := newDesk(t, simulated.Operator{})
	nothing := func(string, int32) bool { return false }
	good := lossy(t, "20261121-000100", nothing)
	slow := lossy(t, "20261121-000200", func(server string, round int32) bool { return server == "xedin" && round > 3 })
	none := lossy(t, "20261121-000300", func(string, int32) bool { return true })
	both := lossy(t, "20261121-000400", func(_ string, round int32) bool { return round > 3 })
	const lacks = "xedin lacks 9 of 12 rounds (TargetRateMissed)"
	for name, test := range map[string]struct {
		code      int
		args      []string
		out, said string
	}{
		"nothing is missing":                   {exitDone, []string{good}, "xedin", "written to"},
		"a slow server loses rounds":           {exitInvalid, []string{slow}, "read: " + lacks, "nothing was compared"},
		"in detail":                            {exitInvalid, []string{slow, "-o", "wide"}, "", lacks},
		"which fails on slower":                {exitVerdict, []string{slow, "--fail-on", "slower"}, "", "xedin is not comparable with hsha: op rate of read, " + lacks},
		"both lose them":                       {exitInvalid, []string{both, "--fail-on", "slower"}, "TargetRateMissed", "nothing was compared"},
		"both lose them, and must be resolved": {exitVerdict, []string{both, "--fail-on", "unresolved"}, "", "xedin is indistinguishable from hsha: op rate of read, hsha lacks 9 of 12 rounds"},
		"all measurements are invalid":         {exitInvalid, []string{none}, "hsha lacks 12 of 12 rounds (TargetRateMissed), and xedin lacks", "nothing was compared: too many measurements are invalid or missing; ringside table shows why"},
		"against a run of invalid ones":        {exitInvalid, []string{good, none}, "20261121-000300/xedin lacks 12 of 12 rounds", "nothing was compared"},
		"a run with itself":                    {exitBadInput, []string{good, good}, "", "is named twice, and nothing differs from itself: name two runs, or two servers"},
		"a run with itself, by another path":   {exitBadInput, []string{good, "results/toy/../toy/20261121-000100"}, "", "are the same run, 20261121-000100: name two runs"},
		"the baseline alone":                   {exitBadInput, []string{good, "--server", "hsha"}, "", "no comparison matches the filter: the baseline hsha is not compared with itself; choose another server"},
	} {
		t.Run(name, func(t *testing.T) {
			out, said := d.do(test.code, append([]string{"compare", "--out", "comparison.csv"}, test.args...)...)
			assert.Contains(t, out, test.out)
			if test.args[len(test.args)-1] == "wide" {
				said += out
			}
			assert.Contains(t, said, test.said)
		})
	}
}

func TestReportsOnceThatAPhaseHasReachedItsPrecision(t *testing.T) {
	var out bytes.Buffer
	app := &App{Err: &out, Now: time.Now}
	s := &session{app: app, screen: newScreen(app), run: &v1beta1.Experiment{}}
	s.printSettled()
	assert.Empty(t, out.String())
	s.run.Status.Precision = &v1beta1.PrecisionStatus{Rounds: 13, Settled: []v1beta1.SettledPhase{{Phase: "read-rate", Rounds: 13}}}
	for range 2 {
		s.printSettled()
		assert.Equal(t, "phase read-rate reached its precision after 13 rounds; later rounds are without it\n", out.String())
	}
	judged := s.run.Status.Precision
	judged.Rounds, judged.Reason, judged.Settled = 20, v1beta1.ReasonPrecisionReached, append(judged.Settled, v1beta1.SettledPhase{Phase: "read", Rounds: 20})
	s.printSettled()
	assert.NotContains(t, out.String(), "phase read ", "the run ends, and its last message says why")
}

func TestFailsOnTheVerdictsThatAreNamed(t *testing.T) {
	comparison := func(value float64, verdict ratio.Verdict) compare.Comparison {
		c := compare.Comparison{Baseline: "hsha", Server: "x", Primary: true, Metric: compare.Metrics()[0], Cell: compare.Cell{Phase: "read"}, Load: "read, phase read"}
		c.Estimate = ratio.Estimate{Ratio: value, Low: value * 0.99, High: value * 1.01, MDE: 1.05, Rounds: 5}
		c.Finding = ratio.Finding{Verdict: verdict, Least: 1.08}
		return c
	}
	slower, faster := comparison(0.93, ratio.Slower), comparison(1.3, ratio.Faster)
	unresolved, aa := comparison(1.001, ratio.Unresolved), comparison(0.9, ratio.Slower)
	aa.AA = true
	descriptive := comparison(0.5, ratio.Slower)
	descriptive.Primary = false
	all := []compare.Comparison{slower, faster, unresolved, aa, descriptive}
	for name, test := range map[string]struct {
		verdicts  []string
		threshold string
		want      string
	}{
		"nothing is asked for":          {nil, "0%", ""},
		"slower":                        {[]string{"slower"}, "0%", "x: slower than hsha: op rate of read, ratio 0.930"},
		"slower beyond five percent":    {[]string{"slower"}, "5%", "x: slower than hsha: op rate of read, ratio 0.930"},
		"slower, but not by so much":    {[]string{"slower"}, "0.1", ""},
		"faster":                        {[]string{"faster"}, "20%", "x: faster than hsha: op rate of read, ratio 1.300"},
		"eight percent would be missed": {[]string{"unresolved"}, "5%", "x is indistinguishable from hsha: op rate of read, "},
		"ten percent would be seen":     {[]string{"unresolved"}, "10%", ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := (&failOn{verdicts: test.verdicts, threshold: test.threshold}).judge(&compare.Result{Comparisons: all}, all)
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, test.want)
			assert.Equal(t, exitVerdict, exitCode(err))
		})
	}
	for _, bad := range []string{"", "many", "-1%", "100%", "NaN"} {
		assert.ErrorContains(t, (&failOn{threshold: bad}).check(), "use a share of at least 0%", bad)
	}
	assert.ErrorContains(t, (&failOn{threshold: "0", verdicts: []string{"worse"}}).check(), `--fail-on is "worse": choose from slower, faster, unresolved`)
	require.NoError(t, (&failOn{verdicts: []string{"slower"}}).checkPrimary(all))
	assert.ErrorContains(t, (&failOn{verdicts: []string{"slower"}}).checkPrimary([]compare.Comparison{aa, descriptive}), "--fail-on: the selected metrics have no verdict")
	require.NoError(t, (&failOn{}).checkPrimary([]compare.Comparison{descriptive}))
}
