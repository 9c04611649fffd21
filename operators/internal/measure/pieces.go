package measure

import (
	"slices"
	"strconv"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Share formats a fraction of 1 with four decimals.
func Share(n float64) v1beta1.Decimal { return v1beta1.Decimal(strconv.FormatFloat(n, 'f', 4, 64)) }

// Piece is the number of operations answered in a part of a load's time.
type Piece struct {
	Start, End time.Time
	Operations int64
}

// Rate returns the rate of the piece, in operations per second.
func (p Piece) Rate() float64 { return perSecond(p.Operations, p.End.Sub(p.Start)) }

// pieceLength is the least length of pieces; longer if the load's own intervals are longer.
const pieceLength = time.Second

// Pieces splits the time of all load pods together into pieces of about a second, in order. The last piece, which the load's end truncates,
// is left out if it is less than half as long as the others: it would look like a collapse.
func Pieces(pods []PodLog) ([]Piece, error) {
	merged, err := MergePods(pods)
	if err != nil {
		return nil, err
	}
	cells, err := Cells(merged, merged.countedKind())
	if err != nil || len(cells) == 0 {
		return nil, err
	}
	step := max(stepOf(merged), 1)
	var pieces []Piece
	for group := range slices.Chunk(cells, max(1, int((pieceLength+step/2)/step))) {
		piece := Piece{Start: group[0].Start, End: group[len(group)-1].End}
		for _, cell := range group {
			if cell.Histogram != nil {
				piece.Operations += cell.Histogram.TotalCount()
			}
		}
		pieces = append(pieces, piece)
	}
	if last := len(pieces) - 1; last > 0 && pieces[last].End.Sub(pieces[last].Start) < pieces[0].End.Sub(pieces[0].Start)/2 {
		pieces = pieces[:last]
	}
	return pieces, nil
}
