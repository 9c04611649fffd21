package ratio

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
