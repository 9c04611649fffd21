package prose

import (
	"strconv"
	"strings"
	"unicode"
)

// anchors counts how often each anchor occurred on a page.
type anchors map[string]int

// next returns the anchor that GitHub gives to the next heading of a page: a second heading of the same text gets the suffix -1.
func (a anchors) next(heading string) string {
	anchor := slug(heading)
	seen := a[anchor]
	a[anchor]++
	if seen > 0 {
		return anchor + "-" + strconv.Itoa(seen)
	}
	return anchor
}

// slug returns the letters and digits of a heading in lower case, with spaces as hyphens and without punctuation.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ', r == '\n':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}
