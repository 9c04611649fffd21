package measure

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestFormatsMillisecondsToTheMicrosecond(t *testing.T) {
	for ns, want := range map[int64]v1beta1.Decimal{
		0: "0.000", 1: "0.000", 499: "0.000", 500: "0.001", 1_499: "0.001", 1_500: "0.002", 999_499: "0.999", 999_500: "1.000",
		1_900_000: "1.900", 83_300_000: "83.300", -1_500_000: "-1.500", -10: "0.000", -500: "-0.001",
		3_600_000_000_000: "3600000.000", math.MaxInt64: "9223372036854.776",
	} {
		assert.Equal(t, want, Millis(ns), "%d ns", ns)
	}
}

func TestFormatsRatesAndSecondsWithOneDecimal(t *testing.T) {
	assert.Equal(t, v1beta1.Decimal("19539.0"), Rate(19539))
	assert.Equal(t, v1beta1.Decimal("0.3"), Rate(0.26))
	assert.Equal(t, v1beta1.Decimal("165.0"), Seconds(2*time.Minute+45*time.Second))
	assert.Equal(t, v1beta1.Decimal("0.0"), Rate(perSecond(5, 0)))
}

func TestReadsDecimalsBack(t *testing.T) {
	f, err := Float("83.300")
	require.NoError(t, err)
	assert.InDelta(t, 83.3, f, 1e-12)
	_, err = Float("")
	assert.ErrorContains(t, err, `decimal "" is not a number`)
}
