package compare

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnAAArmForbidsWhatItsNoiseCouldBe(t *testing.T) {
	holds := noise{"again", Estimate{Ratio: 0.98, Low: 0.90, High: 1.06}}
	for name, test := range map[string]struct {
		arm   noise
		ratio float64
		want  string
	}{
		"beyond the band":                  {holds, 1.20, ""},
		"below the band":                   {holds, 0.85, ""},
		"inside the interval":              {holds, 1.05, "within the noise that the A/A arm again shows, 0.900 to 1.111"},
		"on the side where it was quiet":   {holds, 1.10, "within the noise that the A/A arm again shows, 0.900 to 1.111"},
		"the arm differs, a ratio like it": {noise{"again", Estimate{Ratio: 1.10, Low: 1.09, High: 1.11}}, 1.10, "seems to differ by 1.100 [1.090, 1.110]"},
		"the arm differs, a smaller ratio": {noise{"again", Estimate{Ratio: 1.10, Low: 1.09, High: 1.11}}, 1.05, "seems to differ by 1.100 [1.090, 1.110]"},
		"the arm differs, a huge ratio":    {noise{"again", Estimate{Ratio: 0.90, Low: 0.89, High: 0.91}}, 3, "there is noise that the intervals do not cover"},
		"the arm has too few rounds":       {noise{"again", Estimate{Ratio: 1, Low: math.NaN(), High: math.NaN()}}, 3, "the spread of the A/A arm again is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			reason := test.arm.forbids(test.ratio)
			if test.want == "" {
				assert.Empty(t, reason)
				return
			}
			assert.Contains(t, reason, test.want)
		})
	}
}

// The example of the review: hsha differs from itself by 1.10 [1.09, 1.11], and another server from it by 1.05.
func TestAFailedAAArmWithholdsEveryVerdictOfItsMetric(t *testing.T) {
	result, err := Within(runOf(
		rates("hsha", "hsha", 1000, 2000, 1500, 1200),
		rates("hsha-again", "hsha", 1101, 2198, 1652, 1319),
		rates("little", "little", 1051, 2099, 1576, 1259),
		rates("much", "much", 2010, 3990, 3003, 2396),
	), "hsha")
	require.NoError(t, err)
	for _, server := range []string{"little", "much"} {
		c := opRate(t, result, server)
		assert.Equal(t, Unresolved, c.Verdict, server)
		assert.True(t, c.Withheld, server)
		assert.Contains(t, c.Reason, "the A/A arm hsha-again, the same server under a second name, seems to differ by 1.100", server)
	}
	again := opRate(t, result, "hsha-again")
	assert.Equal(t, Unresolved, again.Verdict, "it differs from itself in noise alone")
	assert.Contains(t, again.Reason, "the same server under two names seems to differ")
	for _, note := range result.Notes {
		assert.NotContains(t, note, "are resolved")
	}
}

func TestEveryOneOfSeveralAAArmsHasItsSay(t *testing.T) {
	result, err := Within(runOf(
		rates("hsha", "hsha", 1000, 2000, 1500, 1200),
		rates("hsha-again", "hsha", 1001, 1999, 1502, 1199),
		rates("hsha-third", "hsha", 1201, 1850, 1700, 1099),
		rates("some", "some", 1051, 2099, 1576, 1259),
	), "hsha")
	require.NoError(t, err)
	assert.Contains(t, opRate(t, result, "some").Reason, "within the noise that the A/A arm hsha-third shows")
}
