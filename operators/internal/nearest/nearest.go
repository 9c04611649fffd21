// Package nearest finds the name that was probably meant where one is not known.
package nearest

import "strings"

// shortest word that is near to another: of shorter ones too many are.
const shortest = 3

// To returns the known name that is nearest to the word: the one that takes the fewest changed letters, if those are few; else the shortest that begins
// with the word, or that the word begins with, as versions of a store lengthen and shorten their settings' names. Empty where none is near.
func To(word string, known []string) string {
	if len(word) < shortest {
		return ""
	}
	best, fewest := "", min(max(len(word)/4, 2), len(word)/2)+1
	for _, other := range known {
		if changes := edits(strings.ToLower(word), strings.ToLower(other)); changes < fewest {
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

// edits that make one word of the other: letters put in, left out, exchanged, or swapped with the next (optimal string alignment).
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
