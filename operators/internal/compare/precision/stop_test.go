package precision

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare"
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
		samples []compare.Sample
		used    time.Duration
		want    string
		at      string
	}{
		"nothing is valid":                  {nil, 19 * time.Minute, "", ""},
		"nothing is valid, and time is up":  {nil, time.Hour, v1beta1.ReasonBudgetUsed, ""},
		"narrow, but too few rounds":        {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(10, 0.001)}}}, 0, "", "x, read"},
		"time is up, of one server too few": {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(90, 0.01)}}, {Server: "y", Load: "write", Rounds: ratio.Sample{Figures: spread(11, 0.5)}}}, time.Hour, v1beta1.ReasonBudgetUsed, "y, write"},
		"narrow, but too many are lost":     {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.001), Lost: []int{2}}}}, 0, "", "x, read"},
		"narrow, if a lost one were":        {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.04), Lost: []int{1}}}}, 0, "", "x, read"},
		"narrow, with a lost one":           {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.02), Lost: []int{1}}}}, 0, v1beta1.ReasonPrecisionReached, "x, read"},
		"narrow":                            {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.04)}}}, 0, v1beta1.ReasonPrecisionReached, "x, read"},
		"wide":                              {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.06)}}}, 19 * time.Minute, "", "x, read"},
		"wide, and time is up":              {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.06)}}}, 20 * time.Minute, v1beta1.ReasonBudgetUsed, "x, read"},
		"one of two is wide":                {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.01)}}, {Server: "y", Load: "write", Rounds: ratio.Sample{Figures: spread(12, 0.06)}}}, 0, "", "y, write"},
		"one of two has too few rounds":     {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(40, 0.01)}}, {Server: "y", Load: "write", Rounds: ratio.Sample{Figures: spread(8, 0.01)}}}, time.Hour, v1beta1.ReasonBudgetUsed, "y, write"},
		"two under one load are corrected":  {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.044)}}, {Server: "y", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.01)}}}, 0, "", "x, read"},
		"under two loads they are not":      {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.044)}}, {Server: "y", Load: "write", Rounds: ratio.Sample{Figures: spread(12, 0.01)}}}, 0, v1beta1.ReasonPrecisionReached, "x, read"},
		"an A/A arm is not corrected":       {[]compare.Sample{{Server: "x", Load: "read", AA: true, Rounds: ratio.Sample{Figures: spread(12, 0.044)}}, {Server: "y", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.01)}}}, 0, v1beta1.ReasonPrecisionReached, "x, read"},
		"seconds are no share":              {[]compare.Sample{{Server: "x", Load: "read", Method: ratio.Difference, Rounds: ratio.Sample{Figures: spread(12, 0.001)}}}, 0, "", "x, read"},
		"seconds, and time is up":           {[]compare.Sample{{Server: "x", Load: "read", Method: ratio.Difference, Rounds: ratio.Sample{Figures: spread(12, 5)}}}, 20 * time.Minute, v1beta1.ReasonBudgetUsed, "x, read"},
		"seconds beside a narrow ratio":     {[]compare.Sample{{Server: "x", Load: "fault", Method: ratio.Difference, Rounds: ratio.Sample{Figures: spread(12, 5)}}, {Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0.04)}}}, 0, v1beta1.ReasonPrecisionReached, "x, read"},
		"no spread is no certainty":         {[]compare.Sample{{Server: "x", Load: "read", Rounds: ratio.Sample{Figures: spread(12, 0)}}}, 0, "", "x, read"},
	} {
		t.Run(name, func(t *testing.T) {
			decision := Decide(test.samples, rule, nil, LeastRounds, test.used)
			assert.Equal(t, test.want, decision.Reason, "half-width %v", decision.Widest)
			assert.Equal(t, test.at, decision.At)
			assert.Equal(t, test.want != "", decision.Stop())
			early := Decide(test.samples, rule, nil, LeastRounds-1, test.used)
			assert.NotEqual(t, v1beta1.ReasonBudgetUsed, early.Reason, "too few rounds")
		})
	}
}

func TestPhasesReachTheirPrecisionOneByOne(t *testing.T) {
	read := func(n int, deviation float64) compare.Sample {
		return compare.Sample{Server: "x", Load: "read at 8 threads", Phase: "read", Rounds: ratio.Sample{Figures: spread(n, deviation)}}
	}
	rate := func(n int, deviation float64) compare.Sample {
		return compare.Sample{Server: "x", Load: "rate at 8 threads", Phase: "rate", Rounds: ratio.Sample{Figures: spread(n, deviation)}}
	}
	seconds := compare.Sample{Server: "x", Load: "fault at 8 threads", Phase: "fault", Method: ratio.Difference, Rounds: ratio.Sample{Figures: spread(12, 5)}}
	rule := Rule{Precision: 0.03, Phases: map[string]ratio.Distance{"rate": ratio.Share(0.015), "pause": ratio.Seconds(0.1), "tail": ratio.Share(0.08)}, Budget: 20 * time.Minute}
	pause := func(n int, deviation float64) compare.Sample {
		return compare.Sample{Server: "x", Load: "pause at 8 threads", Phase: "pause", Method: ratio.Difference, Rounds: ratio.Sample{Figures: spread(n, deviation)}}
	}
	tail := func(n int, deviation float64) compare.Sample {
		return compare.Sample{Server: "x", Load: "tail at 8 threads", Phase: "tail", Method: ratio.Bootstrap, Rounds: ratio.Sample{Figures: spread(n, deviation)}}
	}
	for name, test := range map[string]struct {
		samples []compare.Sample
		before  []string
		used    time.Duration
		reached []string
		reason  string
		at      string
	}{
		"one of two":                         {[]compare.Sample{read(12, 0.04), rate(12, 0.04)}, nil, 0, []string{"read"}, "", "x, rate at 8 threads"},
		"the other, by its own precision":    {[]compare.Sample{read(12, 0.06), rate(12, 0.02)}, nil, 0, []string{"rate"}, "", "x, read at 8 threads"},
		"both":                               {[]compare.Sample{read(12, 0.04), rate(12, 0.02)}, nil, 0, []string{"read", "rate"}, v1beta1.ReasonPrecisionReached, "x, read at 8 threads"},
		"none, in too few rounds":            {[]compare.Sample{read(11, 0.01), rate(11, 0.01)}, nil, 0, nil, "", "x, rate at 8 threads"},
		"one, if the other has lost rounds":  {[]compare.Sample{read(12, 0.01), rate(11, 0.01)}, nil, 0, []string{"read"}, "", "x, rate at 8 threads"},
		"the second, after the first":        {[]compare.Sample{read(12, 0.04), rate(14, 0.02)}, []string{"read"}, 0, []string{"read", "rate"}, v1beta1.ReasonPrecisionReached, "x, read at 8 threads"},
		"that is never taken back":           {[]compare.Sample{read(12, 0.06), rate(14, 0.02)}, []string{"read"}, 0, []string{"read", "rate"}, v1beta1.ReasonPrecisionReached, "x, read at 8 threads"},
		"one, and time is up":                {[]compare.Sample{read(12, 0.04), rate(14, 0.04)}, []string{"read"}, 20 * time.Minute, []string{"read"}, v1beta1.ReasonBudgetUsed, "x, rate at 8 threads"},
		"percentiles by their own precision": {[]compare.Sample{read(12, 0.06), tail(12, 0.08)}, nil, 0, []string{"tail"}, "", "x, read at 8 threads"},
		"percentiles that are too wide":      {[]compare.Sample{read(12, 0.04), tail(12, 0.2)}, nil, 0, []string{"read"}, "", "x, tail at 8 threads"},
		"all loads of a sweep":               {[]compare.Sample{read(12, 0.04), {Server: "x", Load: "read at 16 threads", Phase: "read", Rounds: ratio.Sample{Figures: spread(12, 0.06)}}}, nil, 0, nil, "", "x, read at 16 threads"},
		"differences hold nothing up":        {[]compare.Sample{read(12, 0.04), seconds}, nil, 0, []string{"read"}, v1beta1.ReasonPrecisionReached, "x, read at 8 threads"},
		"differences by their own precision": {[]compare.Sample{read(12, 0.06), pause(12, 0.12)}, nil, 0, []string{"pause"}, "", "x, read at 8 threads"},
		"differences that are too wide":      {[]compare.Sample{read(12, 0.04), pause(12, 0.2)}, nil, 0, []string{"read"}, "", "x, pause at 8 threads"},
		"differences alone":                  {[]compare.Sample{pause(12, 0.12)}, nil, 0, []string{"pause"}, v1beta1.ReasonPrecisionReached, "x, pause at 8 threads"},
		"ratios of a phase with seconds":     {[]compare.Sample{{Server: "x", Load: "pause", Phase: "pause", Rounds: ratio.Sample{Figures: spread(12, 0.06)}}}, nil, 0, nil, "", "x, pause"},
		"differences last as long as others": {[]compare.Sample{read(12, 0.06), seconds}, nil, 0, nil, "", "x, read at 8 threads"},
	} {
		t.Run(name, func(t *testing.T) {
			decision := Decide(test.samples, rule, test.before, LeastRounds, test.used)
			assert.Equal(t, test.reached, decision.Reached)
			assert.Equal(t, test.reason, decision.Reason)
			assert.Equal(t, test.at, decision.At, "what needs the most rounds")
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
		"BUDGET is 0s: use the time that the rounds may take":                           {Precision: 0.03},
		"BUDGET is 1s, and the 12 rounds that are the least take 12m0s":                 {Precision: 0.03, Budget: time.Second},
		"the precision of phase read is 0%, and no phase gets there: use a share above": {Precision: 0.03, Budget: time.Hour, Phases: map[string]ratio.Distance{"read": ratio.Share(0)}},
		"the precision of phase kill is 0 s, and no phase gets there: use a time above": {Precision: 0.03, Budget: time.Hour, Phases: map[string]ratio.Distance{"kill": ratio.Seconds(0)}},
	} {
		assert.ErrorContains(t, bad.Check(time.Minute), want)
	}
}
