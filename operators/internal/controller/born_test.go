package controller_test

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// bear records when an object was created by the harness's clock: when the operator created it or first read it. The
// creation timestamp of the API server follows the machine's clock, which does not advance with the steps.
func (h *harness) bear(object client.Object) {
	at, known := h.born[object.GetUID()]
	if !known {
		at = metav1.NewTime(h.clock.Now())
		h.born[object.GetUID()] = at
	}
	object.SetCreationTimestamp(at)
}

// bornReader reads from the API server, and sets creation timestamps by the harness's clock.
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
