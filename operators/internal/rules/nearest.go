package rules

// Nearest of the known words to one that is none of them, where one is so near that it was probably meant; empty where none is.
func Nearest(word string, known []string) string {
	const shortest = 3 // of shorter ones too many are near
	if len(word) < shortest {
		return ""
	}
	best, least := "", len(word)/3+1
	for _, candidate := range known {
		if distance := edits(word, candidate); distance < least && distance < len(candidate) {
			best, least = candidate, distance
		}
	}
	return best
}

// edits that make one word of the other: letters put in, left out, exchanged, or swapped with the next (optimal string alignment).
func edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
