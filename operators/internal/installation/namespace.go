package installation

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// deletionPatience is how long the deletion of a namespace may take.
const deletionPatience = time.Minute

// createNamespace creates the namespace if it does not exist.
func (i *Installer) createNamespace(ctx context.Context, name string) error {
	var found corev1.Namespace
	err := i.Client.Get(ctx, client.ObjectKey{Name: name}, &found)
	if apierrors.IsNotFound(err) {
		err = client.IgnoreAlreadyExists(i.Client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}))
	}
	if err != nil && !apierrors.IsForbidden(err) { // without the right to read namespaces, the installation itself shows whether it exists
		return fmt.Errorf("create namespace %s: %w", name, err)
	}
	return nil
}

// awaitDeletion waits for the end of a namespace that is being deleted, which accepts no new objects. The deletion ends by
// itself, unless the operator was deleted before a run: then the finalizer of the run blocks it.
func (i *Installer) awaitDeletion(ctx context.Context, name string) error {
	deleting := func(ctx context.Context) (bool, error) {
		var found corev1.Namespace
		err := i.Client.Get(ctx, client.ObjectKey{Name: name}, &found)
		if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
			return false, nil
		}
		return !found.DeletionTimestamp.IsZero(), err
	}
	err := wait.PollUntilContextTimeout(ctx, i.Tick, min(deletionPatience, i.Patience), true, func(ctx context.Context) (bool, error) {
		waiting, err := deleting(ctx)
		if waiting {
			i.Progress("waiting until namespace "+name+" is deleted", "")
		}
		return !waiting, err
	})
	switch {
	case err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return err
	case wait.Interrupted(err):
		return i.blocked(ctx, name)
	}
	return fmt.Errorf("read namespace %s: %w", name, err)
}

// blocked returns the error of a namespace whose deletion does not end.
func (i *Installer) blocked(ctx context.Context, name string) error {
	var experiments v1beta1.ExperimentList
	_ = i.Client.List(ctx, &experiments, client.InNamespace(name)) // without the CRDs there are none
	var blocking []string
	for _, experiment := range experiments.Items {
		blocking = append(blocking, experiment.Name)
	}
	if len(blocking) == 0 {
		return fmt.Errorf("namespace %[1]s has been deleted for more than %[2]s, and no run blocks that; see: kubectl get namespace %[1]s -o yaml", name, deletionPatience)
	}
	return fmt.Errorf("namespace %s is being deleted, and these runs block the deletion: %s\n"+
		"for each, run make remove RUN=<run> ARGS=--force, which exports what is left of it; then make install", name, strings.Join(blocking, ", "))
}
