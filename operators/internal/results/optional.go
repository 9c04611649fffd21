package results

// Optional is a figure that may not have been taken, or is withheld.
type Optional[T any] struct {
	Value T
	Known bool
}

// Some is a figure that was taken.
func Some[T any](value T) Optional[T] { return Optional[T]{value, true} }
