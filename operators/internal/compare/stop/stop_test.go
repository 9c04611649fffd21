package stop

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

// spread returns n log ratios around 0 with the given standard deviation.
func spread(n int, deviation float64) [][]float64 {
	logs := make([]float64, n)
	for i := range logs {
		logs[i] = deviation * math.Sqrt(float64(n-1)/float64(n)) * float64(1-2*(i%2))
	}
	return [][]float64{logs}
}

func TestDecides(t *testing.T) {
	rule := Rule{Precision: 0.03, Budget: 20 * time.Minute}
	for name, test := range map[string]struct {
		samples []Sample
		used    time.Duration
		want    string
		at      string
	}{
		"nothing was measured":             {nil, time.Hour, "", ""},
		"narrow, but too few rounds":       {[]Sample{{Server: "x", Load: "read", Logs: spread(10, 0.001)}}, 0, "", "x, read"},
		"time is up, but too few rounds":   {[]Sample{{Server: "x", Load: "read", Logs: spread(10, 0.5)}}, time.Hour, "", "x, read"},
		"narrow":                           {[]Sample{{Server: "x", Load: "read", Logs: spread(12, 0.04)}}, 0, v1alpha1.ReasonPrecisionReached, "x, read"},
		"wide":                             {[]Sample{{Server: "x", Load: "read", Logs: spread(12, 0.06)}}, 19 * time.Minute, "", "x, read"},
		"wide, and time is up":             {[]Sample{{Server: "x", Load: "read", Logs: spread(12, 0.06)}}, 20 * time.Minute, v1alpha1.ReasonBudgetUsed, "x, read"},
		"one of two is wide":               {[]Sample{{Server: "x", Load: "read", Logs: spread(12, 0.01)}, {Server: "y", Load: "write", Logs: spread(12, 0.06)}}, 0, "", "y, write"},
		"one of two has too few rounds":    {[]Sample{{Server: "x", Load: "read", Logs: spread(40, 0.01)}, {Server: "y", Load: "write", Logs: spread(8, 0.01)}}, time.Hour, "", "y, write"},
		"two under one load are corrected": {[]Sample{{Server: "x", Load: "read", Logs: spread(12, 0.044)}, {Server: "y", Load: "read", Logs: spread(12, 0.01)}}, 0, "", "x, read"},
		"under two loads they are not":     {[]Sample{{Server: "x", Load: "read", Logs: spread(12, 0.044)}, {Server: "y", Load: "write", Logs: spread(12, 0.01)}}, 0, v1alpha1.ReasonPrecisionReached, "x, read"},
		"an A/A arm is not corrected":      {[]Sample{{Server: "x", Load: "read", AA: true, Logs: spread(12, 0.044)}, {Server: "y", Load: "read", Logs: spread(12, 0.01)}}, 0, v1alpha1.ReasonPrecisionReached, "x, read"},
		"seconds are no share":             {[]Sample{{Server: "x", Load: "read", Method: ratio.Difference, Logs: spread(12, 0.001)}}, 0, "", "x, read"},
		"seconds, and time is up":          {[]Sample{{Server: "x", Load: "read", Method: ratio.Difference, Logs: spread(12, 5)}}, 20 * time.Minute, v1alpha1.ReasonBudgetUsed, "x, read"},
		"seconds beside a narrow ratio":    {[]Sample{{Server: "x", Load: "fault", Method: ratio.Difference, Logs: spread(12, 5)}, {Server: "x", Load: "read", Logs: spread(12, 0.04)}}, 0, v1alpha1.ReasonPrecisionReached, "x, read"},
		"no spread is no certainty":        {[]Sample{{Server: "x", Load: "read", Logs: spread(12, 0)}}, 0, "", "x, read"},
	} {
		t.Run(name, func(t *testing.T) {
			decision := Decide(test.samples, rule, test.used)
			assert.Equal(t, test.want, decision.Reason, "half-width %v", decision.Widest)
			assert.Equal(t, test.at, decision.At)
			assert.Equal(t, test.want != "", decision.Stop())
		})
	}
}

func TestRefusesRulesThatStopNeverOrTooSoon(t *testing.T) {
	good := Rule{Precision: 0.03, Budget: 20 * time.Minute}
	require.NoError(t, good.Check(0))
	require.NoError(t, good.Check(time.Minute))
	for want, bad := range map[string]Rule{
		"PRECISION is 0%, and no run gets there: use a share above 0% and below 100%": {Budget: time.Hour},
		"PRECISION is NaN%": {Precision: math.NaN(), Budget: time.Hour},
		"BUDGET is 0s: use the time that the rounds may take":                                   {Precision: 0.03},
		"BUDGET is 1s, and the 12 rounds that are the least take 12m0s":                         {Precision: 0.03, Budget: time.Second},
		"the least number of rounds is 2: the spread between rounds cannot be known from fewer": {Precision: 0.03, Budget: time.Hour, LeastRounds: 2},
	} {
		assert.ErrorContains(t, bad.Check(time.Minute), want)
	}
}
