package controller

import (
	"fmt"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// leaner reduces cached objects to the fields that the operator reads: it removes managed fields, and most of what has
// ended (cut.go).
func leaner() cache.TransformFunc {
	strip, cut := crcache.TransformStripManagedFields(), newCutter()
	return func(object any) (any, error) {
		object, err := strip(object)
		if err != nil {
			return nil, fmt.Errorf("leave out who wrote the fields: %w", err)
		}
		switch object := object.(type) {
		case *v1beta1.Measurement:
			if object.Finished() {
				return cut.measurement(object), nil
			}
		case *corev1.Pod:
			return cut.pod(object), nil
		}
		return object, nil
	}
}

// remembered is the number of values of a kind that alike keeps. It exceeds the number of runs whose measurements
// arrive at once.
const remembered = 32

// alike deduplicates equal values, so that measurements share them in memory. Its values must never be modified;
// callers that modify an object get a copy of it.
type alike[T any] struct {
	equal func(a, b T) bool

	mutex  sync.Mutex
	latest []T
}

func (a *alike[T]) one(value T) T {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	same := func(known T) bool { return a.equal(known, value) }
	at := slices.IndexFunc(a.latest, same)
	if at < 0 {
		at = len(a.latest)
		a.latest = append(a.latest, value)
	}
	value = a.latest[at]
	// Move the value to the end, so that the least recently used one is dropped first.
	a.latest = append(slices.Delete(a.latest, at, at+1), value)
	if len(a.latest) > remembered {
		a.latest = slices.Delete(a.latest, 0, 1)
	}
	return value
}
