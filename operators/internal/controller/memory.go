package controller

import (
	"fmt"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// leaner keeps in the cache what is asked of it: nobody asks who wrote the fields, and little is asked of what is over (cut.go).
func leaner() cache.TransformFunc {
	strip, cut := crcache.TransformStripManagedFields(), newCutter()
	return func(object any) (any, error) {
		object, err := strip(object)
		if err != nil {
			return nil, fmt.Errorf("leave out who wrote the fields: %w", err)
		}
		switch object := object.(type) {
		case *v1alpha1.Measurement:
			if finished(object) {
				return cut.measurement(object), nil
			}
		case *corev1.Pod:
			return cut.pod(object), nil
		}
		return object, nil
	}
}

// remembered values of a kind: more than there are runs whose measurements come at once.
const remembered = 32

// alike remembers the values that it was given last, to give the first of those that are equal: what measurements have alike is held once. What is
// held is never written: who is given one of it to change is given a copy.
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
	// To the end, so that the one that was not asked for in the longest time goes first.
	a.latest = append(slices.Delete(a.latest, at, at+1), value)
	if len(a.latest) > remembered {
		a.latest = slices.Delete(a.latest, 0, 1)
	}
	return value
}
