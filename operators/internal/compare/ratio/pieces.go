package ratio

const (
	// mostPieces that a round is cut into: with more, Student's distribution is hardly narrower, and pieces are shorter than what
	// disturbs a machine.
	mostPieces = 4
	// leastWindows of a server in a piece.
	leastWindows = 2
)

// Pieces that a round counts as in which each server had so many windows, all servers one in each block: neighbours in time are
// compared, so pieces of a round replicate as rounds do, unless the round has something of its own, which is in all its pieces: Replicate
// tells. A round of few windows is one piece.
func Pieces(windows int) int {
	return max(min(windows/leastWindows, mostPieces), 1)
}

// Piece i of so many, of so many windows: the first, and the one after the last.
func Piece(i, pieces, windows int) (from, to int) {
	return i * windows / pieces, (i + 1) * windows / pieces
}
