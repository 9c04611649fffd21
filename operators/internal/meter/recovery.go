package meter

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// recoveryWord is the prefix of the figures of a killed store in the load's summary.
const recoveryWord = "recovery."

// recovery holds the load's figures of a recovery, by name.
type recovery struct {
	figures v1beta1.Recovery
	told    map[string]bool
}

func (r *recovery) fields() map[string]*int64 {
	f := &r.figures
	return map[string]*int64{
		"first_micros": &f.FirstMicros, "all_micros": &f.AllMicros, "sent": &f.Sent, "acknowledged": &f.Acknowledged,
		"kept": &f.Kept, "lost": &f.Lost, "refused": &f.Refused, "wrong": &f.Wrong,
	}
}

// take sets a figure by its name.
func (r *recovery) take(word, value string) error {
	field := r.fields()[word]
	if field == nil {
		return fmt.Errorf("has %q, but for a recovery it may have %s", recoveryWord+word, strings.Join(slices.Sorted(maps.Keys(r.fields())), ", "))
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("says %q, not a count", recoveryWord+word+"="+value)
	}
	*field = n
	if r.told == nil {
		r.told = map[string]bool{}
	}
	r.told[word] = true
	return nil
}

// found returns the figures; nil if there are none.
func (r *recovery) found() *v1beta1.Recovery {
	if len(r.told) == 0 {
		return nil
	}
	return &r.figures
}

// doubt returns an inconsistency of the figures: all must be present, and their sums must match.
func (r *recovery) doubt() string {
	if len(r.told) == 0 {
		return ""
	}
	for _, word := range slices.Sorted(maps.Keys(r.fields())) {
		if !r.told[word] {
			return fmt.Sprintf("the load tool tells of a recovery, and not its %s", word)
		}
	}
	f := r.figures
	if !f.Even() || f.Acknowledged > f.Sent || f.FirstMicros > f.AllMicros {
		return fmt.Sprintf("the books of a recovery do not come out even: %d sent, %d acknowledged, of them %d kept, %d lost, %d refused, %d wrong; back after %d to %d µs",
			f.Sent, f.Acknowledged, f.Kept, f.Lost, f.Refused, f.Wrong, f.FirstMicros, f.AllMicros)
	}
	return ""
}
