package ratio

const (
	// mostPieces is the most pieces of a round. With more, Student's distribution gets hardly narrower, and pieces get shorter than typical
	// disturbances of a machine.
	mostPieces = 4
	// leastWindows is the least number of windows of a server in a piece.
	leastWindows = 2
)

// Pieces returns the number of pieces of a round in which each server had so many windows. Each block has one window of every server, so
// neighbours in time are compared and pieces replicate as rounds do. The exception is an effect that all pieces of a round share; Replicate
// detects it. A round of few windows is one piece.
func Pieces(windows int) int {
	return max(min(windows/leastWindows, mostPieces), 1)
}

// Piece returns the windows of piece i: the index of the first, and the index after the last.
func Piece(i, pieces, windows int) (from, to int) {
	return i * windows / pieces, (i + 1) * windows / pieces
}
