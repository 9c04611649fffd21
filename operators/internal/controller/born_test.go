package controller_test

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// bear says when an object came to be by the harness's clock: when the operator made it, or first saw it. The API server has it by the
// machine's, which goes more slowly or faster than the steps do.
func (h *harness) bear(object client.Object) {
	at, known := h.born[object.GetUID()]
	if !known {
		at = metav1.NewTime(h.clock.Now())
		h.born[object.GetUID()] = at
	}
	object.SetCreationTimestamp(at)
}

// bornReader reads from the API server, and has the time of the harness.
type bornReader struct {
	client.Reader
	h *harness
}

func (r bornReader) Get(ctx context.Context, key client.ObjectKey, into client.Object, options ...client.GetOption) error {
	if err := r.Reader.Get(ctx, key, into, options...); err != nil {
		return err
	}
	r.h.bear(into)
	return nil
}

func (r bornReader) List(ctx context.Context, into client.ObjectList, options ...client.ListOption) error {
	if err := r.Reader.List(ctx, into, options...); err != nil {
		return err
	}
	return meta.EachListItem(into, func(item runtime.Object) error {
		r.h.bear(item.(client.Object))
		return nil
	})
}
