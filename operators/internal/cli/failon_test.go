package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

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
