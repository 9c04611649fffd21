package ratio

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

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
