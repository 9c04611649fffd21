package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/internal/store"
)

// observeClaims finds out why volume claims keep store pods from being scheduled. A StatefulSet reports only that its
// pods are not ready.
func (r *Reconciler) observeClaims(ctx context.Context, o *observed) error {
	claims := store.Homeless(o.objects.Pods, o.objects.Claims)
	if len(claims) == 0 {
		return nil
	}
	var classes storagev1.StorageClassList
	if err := r.Reader.List(ctx, &classes); err != nil {
		return fmt.Errorf("list the storage classes: %w", err)
	}
	o.claimFault = store.ClaimFault(claims, classes.Items, o.now)
	o.claimTrouble = store.VolumeConflict(o.objects.Pods, claims, classes.Items)
	for _, claim := range claims {
		if o.claimTrouble != "" || !store.Unbound(claim) {
			continue
		}
		var events corev1.EventList
		if err := r.Reader.List(ctx, &events, client.InNamespace(claim.Namespace), client.MatchingFields{"involvedObject.uid": string(claim.UID)}); err != nil {
			return fmt.Errorf("list the events of volume claim %s: %w", claim.Name, err)
		}
		o.claimTrouble = store.ClaimTrouble(claim.Name, events.Items)
	}
	return nil
}
