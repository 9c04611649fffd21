// Package plural counts things for people.
package plural

import "fmt"

// Of so many things: 1 round, 2 rounds.
func Of(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
