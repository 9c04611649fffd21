package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/ratio"
)

func TestAnArmWithOptionsOfItsOwnIsNoSecondNameOfTheBaseline(t *testing.T) {
	run := runOf(rates("hsha", "hsha", 1000, 2000, 1500, 1200), rates("hsha-again", "hsha", 1010, 1990, 1510, 1190), rates("hsha-slowed", "hsha", 900, 1810, 1340, 1085))
	run.Experiment = &v1beta1.Experiment{Spec: v1beta1.ExperimentSpec{Servers: []v1beta1.ServerSpec{
		{Name: "hsha"}, {Name: "hsha-again", Type: "hsha", OwnInstance: true}, {Name: "hsha-slowed", Type: "hsha", Options: map[string]string{"hold": "0.05"}},
	}}}
	result, err := Within(run, to("hsha"))
	require.NoError(t, err)
	assert.True(t, opRateOf(t, result, "hsha-again").AA)
	slowed := opRateOf(t, result, "hsha-slowed")
	assert.False(t, slowed.AA)
	assert.Equal(t, ratio.Slower, slowed.Verdict)
}
