package results

// Optional is a figure that may be unknown, because it was not measured or is not reported.
type Optional[T any] struct {
	Value T
	Known bool
}

// Some returns a known figure.
func Some[T any](value T) Optional[T] { return Optional[T]{value, true} }
