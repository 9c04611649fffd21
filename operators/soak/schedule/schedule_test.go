package schedule

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func draw(seed int64, n int) []Kill {
	sequence := New(seed, 10*time.Second)
	var kills []Kill
	for range n {
		kills = append(kills, sequence.Next())
	}
	return kills
}

func TestASeedGivesTheSameKills(t *testing.T) {
	assert.Equal(t, draw(7, 100), draw(7, 100))
	assert.NotEqual(t, draw(7, 100), draw(8, 100))
}

func TestEveryKindIsHitInEachDeck(t *testing.T) {
	kills := draw(7, 2*len(deck))
	for _, part := range [][]Kill{kills[:len(deck)], kills[len(deck):]} {
		var kinds []Kind
		for _, kill := range part {
			kinds = append(kinds, kill.Kind)
		}
		assert.ElementsMatch(t, deck, kinds)
	}
	assert.Len(t, Kinds(), 9, "each is told of once")
}

func TestPausesAreWithinTheirBoundsAndGapOnAverage(t *testing.T) {
	const gap, n = 10 * time.Second, 2000
	var sum time.Duration
	for _, kill := range draw(3, n) {
		assert.GreaterOrEqual(t, kill.After, gap/5)
		assert.LessOrEqual(t, kill.After, gap*9/5)
		assert.LessOrEqual(t, kill.Down, gap)
		sum += kill.After
	}
	assert.InDelta(t, gap.Seconds(), (sum / n).Seconds(), 0.5)
}
