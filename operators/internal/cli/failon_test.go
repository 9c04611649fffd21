package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/compare"
)

func TestFailsOnTheVerdictsThatAreNamed(t *testing.T) {
	comparison := func(ratio float64, verdict compare.Verdict) compare.Comparison {
		c := compare.Comparison{Baseline: "hsha", Server: "x", Verdict: verdict, Metric: compare.Metrics()[0]}
		c.Estimate = compare.Estimate{Ratio: ratio, Low: ratio * 0.99, High: ratio * 1.01, MDE: 1.08, Rounds: 5}
		return c
	}
	slower, faster := comparison(0.93, compare.Slower), comparison(1.3, compare.Faster)
	unresolved, aa := comparison(1.001, compare.Unresolved), comparison(0.9, compare.Slower)
	aa.AA = true
	all := []compare.Comparison{slower, faster, unresolved, aa}
	for name, test := range map[string]struct {
		verdicts  []string
		threshold string
		want      string
	}{
		"nothing is asked for":          {nil, "0%", ""},
		"slower":                        {[]string{"slower"}, "0%", "x is slower than hsha: op rate of , ratio 0.930"},
		"slower beyond five percent":    {[]string{"slower"}, "5%", "x is slower than hsha: op rate of , ratio 0.930"},
		"slower, but not by so much":    {[]string{"slower"}, "0.1", ""},
		"faster":                        {[]string{"faster"}, "20%", "x is faster than hsha: op rate of , ratio 1.300"},
		"eight percent would be missed": {[]string{"unresolved"}, "5%", "x is not told from hsha: op rate of , "},
		"ten percent would be seen":     {[]string{"unresolved"}, "10%", ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := (&failOn{verdicts: test.verdicts, threshold: test.threshold}).judge(all)
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
}
