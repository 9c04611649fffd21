package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// ownNamespace selects the operator's namespace: the operator has no right to read other namespaces.
func ownNamespace(namespace string) cache.ByObject {
	return cache.ByObject{Field: fields.OneTermEqualSelector("metadata.name", namespace)}
}

// namespaceEnds reports whether the namespace is being deleted. Nothing can be created in it then.
func (r *Reconciler) namespaceEnds(ctx context.Context, name string) (bool, error) {
	var namespace corev1.Namespace
	err := r.Client.Get(ctx, client.ObjectKey{Name: name}, &namespace)
	if apierrors.IsNotFound(err) {
		return false, nil // the cache does not show it yet
	}
	if err != nil {
		return false, fmt.Errorf("get namespace %s: %w", name, err)
	}
	return namespace.DeletionTimestamp != nil, nil
}

// held returns the runs whose finalizers keep a namespace that is being deleted.
func (r *Reconciler) held(ctx context.Context, namespace client.Object) []reconcile.Request {
	if namespace.GetDeletionTimestamp() == nil {
		return nil
	}
	var list v1beta1.ExperimentList
	if err := r.Client.List(ctx, &list, client.InNamespace(namespace.GetName()), client.UnsafeDisableDeepCopy); err != nil {
		log.FromContext(ctx).Error(err, "list the experiments")
		return nil
	}
	var requests []reconcile.Request
	for i := range list.Items {
		if controllerutil.ContainsFinalizer(&list.Items[i], v1beta1.Finalizer) {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}
