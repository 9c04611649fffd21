package results

// Optional is a figure that may be unknown, because it was not measured or is not reported.
type Optional[T any] struct {
	Value T
	Known bool
}

// Some returns a known figure.
func Some[T any](value T) Optional[T] { return Optional[T]{value, true} }

// maybe returns a figure that is unknown if there is none.
func maybe[T any](value *T) Optional[T] {
	if value == nil {
		return Optional[T]{}
	}
	return Some(*value)
}
