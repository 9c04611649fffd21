package ratio

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestARoundIsCutIntoFewPiecesWithoutALeftOver(t *testing.T) {
	for windows, pieces := range map[int]int{0: 1, 1: 1, 3: 1, 4: 2, 7: 3, 8: 4, 112: 4} {
		assert.Equal(t, pieces, Pieces(windows), windows)
		at := 0
		for i := range pieces {
			from, to := Piece(i, pieces, windows)
			assert.Equal(t, at, from)
			at = to
		}
		assert.Equal(t, windows, at)
	}
}
