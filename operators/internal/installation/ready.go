package installation

import (
	"context"
	"errors"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/internal/storechart"
)

// pullPatience is how long an image may fail to be pulled: the first failures may be the registry's.
const pullPatience = time.Minute

// awaitReady waits until all workloads of a release are ready. It ends early where an image cannot be pulled.
func (i *Installer) awaitReady(ctx context.Context, namespace string, workloads []storechart.Workload) error {
	var now waiting
	var unpulled time.Time
	err := wait.PollUntilContextTimeout(ctx, i.Tick, i.Patience, true, func(ctx context.Context) (bool, error) {
		var err error
		if now, err = i.pending(ctx, namespace, workloads); err != nil || now.workload == "" {
			return err == nil, err
		}
		i.Progress("waiting for "+now.workload, fmt.Sprintf("%d of %d ready%s", now.available, now.wanted, now.trouble.suffix()))
		switch {
		case now.trouble.image == "":
			unpulled = time.Time{}
		case unpulled.IsZero():
			unpulled = i.Now()
		case i.Now().Sub(unpulled) >= pullPatience:
			return false, now.trouble.unpulled()
		}
		return false, nil
	})
	if !wait.Interrupted(err) || ctx.Err() != nil {
		return err
	}
	if now.trouble.image != "" {
		return now.trouble.unpulled()
	}
	return fmt.Errorf("%s is not ready after %s%s; see: kubectl -n %s get pods,events", now.workload, i.Patience, now.trouble.suffix(), namespace)
}

// waiting is a workload that is not ready; its name is empty if all are.
type waiting struct {
	workload          string
	available, wanted int32
	trouble           trouble
}

// pending returns the first workload that is not ready, or one of them with a known problem.
func (i *Installer) pending(ctx context.Context, namespace string, workloads []storechart.Workload) (waiting, error) {
	var first waiting
	for _, workload := range workloads {
		state, err := i.rollout(ctx, namespace, workload)
		if err != nil {
			return waiting{}, err
		}
		if state.ready() {
			continue
		}
		found := waiting{workload.Kind + " " + workload.Name, state.available, state.wanted, i.troubleOf(ctx, namespace, workload, state.selector)}
		if first.workload == "" || first.trouble.what == "" && found.trouble.what != "" {
			first = found
		}
	}
	return first, nil
}

// rollout is the state of a workload.
type rollout struct {
	wanted, updated, available, all int32
	observed                        bool
	selector                        map[string]string
}

func (r rollout) ready() bool {
	return r.observed && r.updated >= r.wanted && r.available >= r.wanted && r.all <= r.wanted
}

func (i *Installer) rollout(ctx context.Context, namespace string, workload storechart.Workload) (rollout, error) {
	key := client.ObjectKey{Namespace: namespace, Name: workload.Name}
	switch workload.Kind {
	case "Deployment":
		var d appsv1.Deployment
		if err := i.Client.Get(ctx, key, &d); err != nil {
			return rollout{}, fmt.Errorf("read Deployment %s: %w", workload.Name, err)
		}
		return rollout{wanted: replicas(d.Spec.Replicas), updated: d.Status.UpdatedReplicas, available: d.Status.AvailableReplicas, all: d.Status.Replicas,
			observed: d.Status.ObservedGeneration >= d.Generation, selector: labelsOf(d.Spec.Selector)}, nil
	case "StatefulSet":
		var s appsv1.StatefulSet
		if err := i.Client.Get(ctx, key, &s); err != nil {
			return rollout{}, fmt.Errorf("read StatefulSet %s: %w", workload.Name, err)
		}
		return rollout{wanted: replicas(s.Spec.Replicas), updated: s.Status.UpdatedReplicas, available: s.Status.AvailableReplicas, all: s.Status.Replicas,
			observed: s.Status.ObservedGeneration >= s.Generation, selector: labelsOf(s.Spec.Selector)}, nil
	}
	return rollout{}, errors.New("a chart of Ringside has a " + workload.Kind + ", whose readiness cannot be awaited")
}

func replicas(of *int32) int32 {
	if of == nil {
		return 1
	}
	return *of
}

func labelsOf(selector *metav1.LabelSelector) map[string]string {
	if selector == nil {
		return nil
	}
	return selector.MatchLabels
}
