package controller

import (
	"context"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/internal/store"
)

// creationGrace is the time that the controller of a workload has to create its pods before its events are read.
const creationGrace = 30 * time.Second

// observeCreation reads from events why the controller of a workload has not created all its pods, once the grace has
// passed.
func (r *Reconciler) observeCreation(ctx context.Context, o *observed, workload client.Object) error {
	if o.creationFault != "" || o.now.Sub(workload.GetCreationTimestamp().Time) < creationGrace {
		return nil
	}
	var events corev1.EventList
	if err := r.Reader.List(ctx, &events, client.InNamespace(workload.GetNamespace()),
		client.MatchingFields{"involvedObject.uid": string(workload.GetUID())}); err != nil {
		return fmt.Errorf("list the events of %s: %w", workload.GetName(), err)
	}
	if fault := store.CreationFault(events.Items); fault != "" {
		o.creationFault = fmt.Sprintf("the pods of %s cannot be made: %s; %s", workload.GetName(), fault, fixOfCreation(fault))
	}
	return nil
}

// fixOfCreation returns what to do about pods that cannot be made. The operator accepts no request above a limit of the experiment, so a lower limit is
// the default of a LimitRange.
func fixOfCreation(fault string) string {
	if strings.Contains(fault, "must be less than or equal to") && strings.Contains(fault, " limit") {
		return "a LimitRange of the namespace sets that limit: remove its default, or set limits in the experiment (resources)"
	}
	return "raise the quota, relax the policy or make what is missing"
}

func podsOf(owner client.Object, pods []corev1.Pod) int {
	n := 0
	for i := range pods {
		if metav1.IsControlledBy(&pods[i], owner) {
			n++
		}
	}
	return n
}
