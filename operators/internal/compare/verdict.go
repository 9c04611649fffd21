package compare

import "fmt"

// Verdict on a server against its baseline.
type Verdict string

// Verdicts. Faster is better: a higher rate, a lower latency.
const (
	Faster     Verdict = "faster"
	Slower     Verdict = "slower"
	Unresolved Verdict = "unresolved"
)

// judge says what an interval allows to say.
func judge(e Estimate, higherIsBetter bool) (Verdict, string) {
	switch {
	case !e.Known():
		return Unresolved, fmt.Sprintf("%s: the spread between rounds cannot be known from fewer than %d (repeats within a store are not independent)",
			plural(e.Rounds, "round"), MinRounds)
	case e.Low <= 1 && e.High >= 1:
		return Unresolved, fmt.Sprintf("the interval holds 1; a ratio within %.3f to %.3f would have been missed", 1/e.MDE, e.MDE)
	case (e.Ratio > 1) == higherIsBetter:
		return Faster, ""
	}
	return Slower, ""
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
