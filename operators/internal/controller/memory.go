package controller

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"k8s.io/client-go/tools/cache"
	crcache "sigs.k8s.io/controller-runtime/pkg/cache"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// leaner keeps of what measurements have alike one copy for all that are held: where a store and its loads ran, and what it said of its JVM, are
// a quarter of a measurement's memory (make scale), and the same throughout a run. What is held is never written: who is given one of it to change is given
// a copy.
func leaner() cache.TransformFunc {
	strip := crcache.TransformStripManagedFields()
	settings := &alike[map[string]string]{equal: maps.Equal[map[string]string, map[string]string]}
	nodes := &alike[[]v1alpha1.NodeInfo]{equal: slices.Equal[[]v1alpha1.NodeInfo]}
	return func(object any) (any, error) {
		object, err := strip(object)
		if err != nil {
			return nil, fmt.Errorf("leave out who wrote the fields: %w", err)
		}
		m, is := object.(*v1alpha1.Measurement)
		if !is {
			return object, nil
		}
		if proof := m.Status.Proof; proof != nil {
			proof.Environment = settings.one(proof.Environment)
		}
		if environment := m.Status.Environment; environment != nil {
			environment.Store = settings.one(environment.Store)
			environment.StoreNodes, environment.LoadNodes = nodes.one(environment.StoreNodes), nodes.one(environment.LoadNodes)
		}
		return object, nil
	}
}

// remembered values of a kind: more than a run has servers, each with an environment of its own.
const remembered = 32

// alike remembers the values that it was given last, to give the first of those that are equal.
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
