package cli

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

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
