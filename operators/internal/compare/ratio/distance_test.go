package ratio

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParsesAShareOrATime(t *testing.T) {
	for text, want := range map[string]struct {
		distance Distance
		text     string
	}{
		"3%": {Share(0.03), "3%"}, "0.025": {Share(0.025), "2.5%"}, "0.25 %": {Share(0.0025), "0.25%"}, "0": {Share(0), "0%"},
		"0.1s": {Seconds(0.1), "0.1 s"}, "100ms": {Seconds(0.1), "0.1 s"}, "2 s": {Seconds(2), "2 s"}, "0s": {Seconds(0), "0 s"}, "12.5ms": {Seconds(0.0125), "0.0125 s"},
	} {
		distance, err := ParseDistance(text)
		require.NoError(t, err, text)
		assert.Equal(t, want.distance.Difference, distance.Difference, text)
		assert.InDelta(t, want.distance.Value, distance.Value, 1e-12, text)
		assert.Equal(t, want.text, distance.String(), text)
	}
	for _, text := range []string{"", "s", "ms", "-1s", "1m", "1us", "1e3s", ".5s", "NaNs", "3", "0x1s"} {
		_, err := ParseDistance(text)
		assert.ErrorContains(t, err, "use a share of at least 0% and less than 100%, as in 3%, or a time, as in 0.1s", text)
	}
}

func TestADistanceIsOnTheScaleOfItsEstimates(t *testing.T) {
	assert.InDelta(t, math.Log(1.03), Share(0.03).Scaled(), 1e-12)
	assert.InDelta(t, 0.1, Seconds(0.1).Scaled(), 1e-12)
	for _, d := range []Distance{Share(0.03), Seconds(0.1)} {
		back := Unscaled(d.Scaled(), d.Difference)
		assert.InDelta(t, d.Value, back.Value, 1e-12)
		assert.Equal(t, d.Difference, back.Difference)
	}
}
