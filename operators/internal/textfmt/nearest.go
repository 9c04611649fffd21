package textfmt

import "strings"

// shortest is the length of the shortest word that gets a suggestion: shorter ones resemble too many names.
const shortest = 3

// Nearest returns the known name that is nearest to the word: the one with the fewest edits, if those are few; else the
// shortest one that begins with the word or that the word begins with, because versions of a store lengthen and shorten
// the names of settings. It returns an empty string if none is near.
func Nearest(word string, known []string) string {
	if len(word) < shortest {
		return ""
	}
	best, fewest := "", min(max(len(word)/4, 2), len(word)/2)+1
	for _, other := range known {
		if changes := edits(strings.ToLower(word), strings.ToLower(other)); changes < fewest || best != "" && changes == fewest && len(other) > len(best) {
			best, fewest = other, changes
		}
	}
	if best != "" {
		return best
	}
	for _, other := range known {
		longer := strings.HasPrefix(other, word+"_") || strings.HasPrefix(word, other+"_")
		if longer && (best == "" || len(other) < len(best)) {
			best = other
		}
	}
	return best
}

// edits returns the number of insertions, deletions, substitutions and transpositions that convert one word into the
// other (optimal string alignment).
func edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			exchange := last[j-1]
			if a[i-1] != b[j-1] {
				exchange++
			}
			row[j] = min(last[j]+1, row[j-1]+1, exchange)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
