package convert

// words are the values of an enum in v1alpha1, by which v1beta1 has in place of them.
type words map[string]string

var (
	events = words{"cpu": "CPU", "alloc": "Alloc", "lock": "Lock", "wall": "Wall"}
	kinds  = words{"kill": "Kill", "pause": "Pause", "cut": "Cut", "lose": "Lose", "slow": "Slow", "busy": "Busy", "fill": "Fill", "maintain": "Maintain"}
	units  = words{"ms": "Milliseconds", "us": "Microseconds"}
)

// word converts one word. An unknown one stays.
func (w words) word(value any, way direction) (any, bool) {
	for alpha, beta := range w {
		switch {
		case way == toBeta && value == alpha:
			return beta, true
		case way == toAlpha && value == beta:
			return alpha, true
		}
	}
	return value, true
}

// list converts a list of words.
func (w words) list(value any, way direction) (any, bool) {
	list, is := value.([]any)
	if !is {
		return value, true
	}
	out := make([]any, len(list))
	for i, element := range list {
		out[i], _ = w.word(element, way)
	}
	return out, way == toAlpha || len(out) > 0
}
