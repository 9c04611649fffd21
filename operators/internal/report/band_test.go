package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestABandHoldsTheLowestTheMedianAndTheHighestOfWhatIsThere(t *testing.T) {
	nan := math.NaN()
	b := bandOf([]series{
		{x: []float64{0, 59}, y: []float64{10, 10}},
		{x: []float64{0, 59}, y: []float64{20, 79}},
		{x: []float64{0, 10}, y: []float64{5, 5}}, // ended earlier
		{x: []float64{20, 30, 40}, y: []float64{1, nan, 1}},
	})
	assert.Len(t, b.x, bandPoints)
	at := func(second int) []float64 {
		return []float64{b.x[second], b.low[second], b.mid[second], b.high[second]}
	}
	assert.Equal(t, []float64{0, 5, 10, 20}, at(0))
	assert.InDeltaSlice(t, []float64{10, 5, 10, 30}, at(10), 1e-9)
	assert.InDeltaSlice(t, []float64{15, 10, 22.5, 35}, at(15), 1e-9)
	assert.InDeltaSlice(t, []float64{20, 1, 10, 40}, at(20), 1e-9)
	assert.InDeltaSlice(t, []float64{25, 10, 27.5, 45}, at(25), 1e-9, "a broken line says nothing")
	assert.InDeltaSlice(t, []float64{59, 10, 44.5, 79}, at(59), 1e-9)
}

func TestABandEndsWhereMostOfItsLinesHave(t *testing.T) {
	b := bandOf([]series{
		{x: []float64{0, 59}, y: []float64{10, 10}},
		{x: []float64{0, 30}, y: []float64{20, 20}},
		{x: []float64{0, 20}, y: []float64{30, 30}},
	})
	assert.InDelta(t, 30, b.x[len(b.x)-1], 1e-9)
}

func TestABandOfNothingIsEmpty(t *testing.T) {
	assert.Empty(t, bandOf(nil).x)
	assert.Empty(t, bandOf([]series{{x: []float64{1, 2}, y: []float64{math.NaN(), math.NaN()}}}).x)
}

func TestFiguresAreWrittenWithTheDigitsThatCanBeReliedOn(t *testing.T) {
	for value, want := range map[float64]string{
		19539.3: "19539", 123.4: "123", 83.31: "83.3", 2.134: "2.13", 0.0214: "0.021", 0: "0.00",
	} {
		assert.Equal(t, want, digits(value))
	}
	assert.Empty(t, digits(math.NaN()))
	assert.Equal(t, "", digitsOf(""))
}

func TestOneSlowMomentDoesNotFlattenTheRest(t *testing.T) {
	assert.False(t, spreads([]series{{y: []float64{1, 2, 3, 9}}}))
	assert.True(t, spreads([]series{{y: []float64{1, 2, 3, 90}}}))
	assert.False(t, spreads([]series{{y: []float64{0, 2, 3, 90}}}), "a logarithmic axis has no place for zero")
}
