package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

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
