package ratio

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// simple returns an estimate with the given interval and minimum detectable effect.
func simple(ratio, low, high, mde float64) Estimate {
	return Estimate{Ratio: ratio, Low: low, High: high, MDE: mde, Rounds: 5, Installations: 1}
}

func TestVerdictsFromIntervals(t *testing.T) {
	for name, test := range map[string]struct {
		estimate Estimate
		margin   float64
		want     Verdict
		reason   string
	}{
		"above 1":                       {simple(1.10, 1.05, 1.15, 1.08), 0.03, Faster, ""},
		"below 1":                       {simple(0.90, 0.85, 0.95, 1.08), 0.03, Slower, ""},
		"above 1, though by little":     {simple(1.01, 1.005, 1.015, 1.01), 0.03, Faster, ""},
		"at 1 by a correction":          {simple(1.04, 1, 1.08, 1.06), 0.03, Faster, ""},
		"about 1, narrow":               {simple(1.00, 0.98, 1.02, 1.03), 0.03, Equivalent, ""},
		"about 1, narrow, not asked":    {simple(1.00, 0.98, 1.02, 1.03), 0, Unresolved, "the interval holds 1; a ratio within 0.971 to 1.030 would have been missed"},
		"about 1, wider than asked for": {simple(1.00, 0.98, 1.02, 1.03), 0.01, Unresolved, "the interval holds 1"},
		"as far below 1 as above":       {simple(1.00, 0.9705, 1.02, 1.03), 0.03, Unresolved, "the interval holds 1"},
		"wide":                          {simple(1.02, 0.95, 1.09, 1.10), 0.03, Unresolved, "the interval holds 1; a ratio within 0.909 to 1.100 would have been missed"},
		"not known":                     {Estimate{Ratio: 2}.unknown(1, "2 rounds"), 0.03, Unresolved, "2 rounds"},
	} {
		t.Run(name, func(t *testing.T) {
			finding := Judge(test.estimate, Question{HigherIsBetter: true, Margin: Share(test.margin)})
			assert.Equal(t, test.want, finding.Verdict)
			assert.Contains(t, finding.Reason, test.reason)
			assert.Equal(t, test.reason == "", finding.Reason == "")
			assert.False(t, finding.Withheld)
		})
	}
}

func TestALowerLatencyIsFaster(t *testing.T) {
	e := simple(0.8, 0.7, 0.9, 1.1)
	assert.Equal(t, Faster, Judge(e, Question{HigherIsBetter: false}).Verdict)
	assert.Equal(t, Slower, Judge(e, Question{HigherIsBetter: true}).Verdict)
}

func TestAnAAArmForbidsWhatItsNoiseCouldBe(t *testing.T) {
	holds := Noise{"again", simple(0.98, 0.90, 1.06, 1.1)}
	differs := Noise{"again", simple(1.10, 1.09, 1.11, 1.01)}
	for name, test := range map[string]struct {
		arms     []Noise
		estimate Estimate
		want     Verdict
		reason   string
	}{
		"beyond the band":                  {[]Noise{holds}, simple(1.20, 1.18, 1.22, 1.02), Faster, ""},
		"below the band":                   {[]Noise{holds}, simple(0.85, 0.83, 0.87, 1.02), Slower, ""},
		"inside the interval":              {[]Noise{holds}, simple(1.05, 1.04, 1.06, 1.02), Unresolved, "within the noise that the A/A arm shows, 0.900 to 1.111"},
		"on the side where it was quiet":   {[]Noise{holds}, simple(1.10, 1.09, 1.11, 1.02), Unresolved, "within the noise that the A/A arm shows, 0.900 to 1.111"},
		"equal, but in more noise":         {[]Noise{holds}, simple(1.00, 0.99, 1.01, 1.02), Unresolved, "a ratio within 0.900 to 1.111 would have been missed"},
		"equal, in as little noise":        {[]Noise{{"again", simple(1, 0.98, 1.02, 1.1)}}, simple(1.00, 0.99, 1.01, 1.02), Equivalent, ""},
		"the arm differs, a ratio like it": {[]Noise{differs}, simple(1.10, 1.09, 1.11, 1.02), Unresolved, "seems to differ by 1.100 [1.090, 1.110]"},
		"the arm differs, a smaller ratio": {[]Noise{differs}, simple(1.05, 1.04, 1.06, 1.02), Unresolved, "seems to differ by 1.100 [1.090, 1.110]"},
		"the arm differs, a huge ratio":    {[]Noise{differs}, simple(3, 2.9, 3.1, 1.02), Unresolved, "there is noise that the intervals do not cover"},
		"the arm differs, equivalent":      {[]Noise{differs}, simple(1, 0.99, 1.01, 1.02), Unresolved, "seems to differ by 1.100 [1.090, 1.110]"},
		"one of two arms differs":          {[]Noise{holds, differs}, simple(3, 2.9, 3.1, 1.02), Unresolved, "seems to differ by 1.100 [1.090, 1.110]"},
		"the arm has too few rounds":       {[]Noise{{"again", Estimate{}.unknown(0, "2 rounds")}}, simple(3, 2.9, 3.1, 1.02), Unresolved, "the spread of the A/A arm again is not known"},
	} {
		t.Run(name, func(t *testing.T) {
			finding := Judge(test.estimate, Question{HigherIsBetter: true, Margin: Share(0.03), Arms: test.arms})
			assert.Equal(t, test.want, finding.Verdict)
			assert.Contains(t, finding.Reason, test.reason)
		})
	}
	assert.InDelta(t, 1.111, Judge(simple(1, 0.99, 1.01, 1.02), Question{Arms: []Noise{holds}}).Least, 0.001, "less would not count")
	assert.True(t, math.IsNaN(Judge(simple(1, 0.99, 1.01, 1.02), Question{Arms: []Noise{differs}}).Least))
}

func TestParsesAShareAsPeopleWriteIt(t *testing.T) {
	for text, want := range map[string]float64{"3%": 0.03, "0.03": 0.03, " 3 % ": 0.03, "0": 0, "0%": 0, "99.9%": 0.999, "0.999": 0.999} {
		share, err := ParseShare(text)
		require.NoError(t, err, text)
		assert.InDelta(t, want, share, 1e-12, text)
	}
	for _, text := range []string{"", "%", "3", "1", "100%", "1e3%", "-1%", "three", "NaN", "Inf", "0x1p-4", "1_0%", "3%%", ".5%"} {
		_, err := ParseShare(text)
		require.Error(t, err, text)
		assert.Contains(t, err.Error(), "use a share of at least 0% and less than 100%, as in 3%")
	}
}

// skewed returns skewed rounds of a server: most are similar and a third are lower, as with garbage collections in some rounds.
func skewed(rng *rand.Rand, n int, truth float64) []float64 {
	logs := make([]float64, n)
	for i := range logs {
		logs[i] = math.Log(truth) + 0.0005*rng.NormFloat64() + 0.006
		if rng.Float64() < 1.0/3 {
			logs[i] -= 0.018
		}
	}
	return logs
}

// A difference that Holm's test finds does not count within the noise of an A/A arm. Equivalence then uses Bonferroni's interval instead of
// the trimmed one, and with skewed figures it may exceed the margin.
func TestWhatIsNotBelievedMakesNobodyEquivalent(t *testing.T) {
	const families, servers, rounds, margin = 150, 6, 12, 0.03
	trimmed, equivalent, beyond := 0, 0, 0
	rng := rand.New(rand.NewPCG(7, 7))
	for range families {
		family := make([]Estimate, servers)
		for i := range family {
			truth := 1.012
			if i > 1 {
				truth = 1.3 // found first, so that the last of Holm's tests is the least strict
			}
			family[i] = OfLogs([][]float64{skewed(rng, rounds, truth)}, Bootstrap)
		}
		noise := Noise{Server: "again", Estimate: OfLogs([][]float64{alternating(rounds, 0, 0.035)}, StudentT)}
		whole := corrected(family)
		for i, e := range Simultaneous(family)[:2] {
			if e.Low != whole[i].Low || e.High != whole[i].High {
				trimmed++
			}
			if Judge(e, Question{HigherIsBetter: true, Margin: Share(margin), Arms: []Noise{noise}}).Verdict == Equivalent {
				equivalent++
				if !whole[i].within(Share(margin)) {
					beyond++
				}
			}
		}
	}
	t.Logf("of %d comparisons %d intervals end at 1 by Holm's test; %d are equivalent, %d of them with an interval beyond the margin", 2*families, trimmed, equivalent, beyond)
	assert.NotZero(t, trimmed)
	assert.NotZero(t, equivalent)
	assert.Zero(t, beyond)
}
