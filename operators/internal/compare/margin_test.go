package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

func TestTheDocumentSaysHowMuchIsAsGoodAsEqualUnlessItIsAskedOtherwise(t *testing.T) {
	run := runOf(rates("hsha", "hsha", 1000, 2000, 1500, 1200), rates("x", "x", 1012, 1986, 1510, 1196))
	for _, test := range []struct {
		document string
		asked    *float64
		want     ratio.Verdict
	}{
		{"", nil, ratio.Equivalent},
		{"0.5%", nil, ratio.Unresolved},
		{"5%", nil, ratio.Equivalent},
		{"0%", nil, ratio.Unresolved},
		{"0.5%", new(0.05), ratio.Equivalent},
		{"", new(0.0), ratio.Unresolved},
	} {
		run.Experiment = &v1alpha1.Experiment{Spec: v1alpha1.ExperimentSpec{Equivalent: test.document, Servers: []v1alpha1.ServerSpec{{Name: "hsha"}, {Name: "x"}}}}
		result, err := Within(run, Options{Margin: test.asked})
		require.NoError(t, err)
		assert.Equal(t, test.want, opRateOf(t, result, "x").Verdict, "%+v", test)
	}
}
