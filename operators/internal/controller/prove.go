package controller

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/gates"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/validation"
)

// proofGrace is how long a store that answers may take to log its proofs.
const proofGrace = 30 * time.Second

// proveStore reads from the store's logs which servers run, and marks the store as ready. A store that does not prove the requested servers
// ends the run within its first minute, because all its measurements would be invalid.
type proveStore struct{ store plan.Store }

func (s proveStore) String() string { return "read the proofs of store " + s.store.Release }

func (s proveStore) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	lives := store.Lives(o.objects.Pods)
	proofs, err := r.proofs(ctx, o, s.store, lives)
	grace, fault := proofGrace, ""
	if malformed := (*store.MalformedProofError)(nil); errors.As(err, &malformed) {
		fault = malformed.Error()
	} else if err != nil {
		// If a kubelet does not return a log, the running server is unknown.
		grace, fault = o.experiment.Spec.Store.ReadyTimeout.Duration, err.Error()
	} else if fault, err = r.variantFault(o, s.store, proofs); err != nil {
		return ctrl.Result{}, err
	}
	switch {
	case fault == "":
		return again, r.storeReady(ctx, o, s.store.Release, proofs, lives)
	case o.now.Sub(store.ReadySince(lives)) > grace:
		return failRun{reason: v1beta1.ReasonVariantUnproved, message: fmt.Sprintf("store %s does not prove that it runs the requested servers: %s; rebuild and load its images (make images), correct the values if the store does not accept a setting, or correct the chart's annotations",
			s.store.Release, fault)}.do(ctx, r, o)
	}
	return ctrl.Result{RequeueAfter: attentive}, r.reportUnready(ctx, o, progress{reason: v1beta1.ReasonAwaitingStore,
		message: fmt.Sprintf("store %s answers, but has not yet logged its proofs: %s", s.store.Release, fault),
		current: "store " + s.store.Release + ": waiting for its proofs"})
}

func (r *Reconciler) storeReady(ctx context.Context, o observed, name string, proofs []v1beta1.Proof, lives []v1beta1.StorePod) error {
	message := fmt.Sprintf("store %s answers on %d nodes", name, len(lives))
	err := r.writeStatus(ctx, o, news{ready: message}, func(status *v1beta1.ExperimentStatus) {
		status.Store.Nodes = int32(o.nodes())
		if status.Store.ReadyAt == nil {
			now := metav1.NewTime(o.now)
			status.Store.ReadyAt = &now
		}
		status.Store.Proofs = store.ToldOnce(proofs)
		status.Store.Pods = lives
		status.Current = "store " + name + " is ready"
	})
	if err == nil {
		r.event(o.experiment, normal, "StoreReady", "Await", message)
	}
	return err
}

// proofs returns the proofs of all store pods. It keeps those already read from a pod in its current life, because its log may have been
// rotated since.
func (r *Reconciler) proofs(ctx context.Context, o observed, installation plan.Store, lives []v1beta1.StorePod) ([]v1beta1.Proof, error) {
	charts, err := validation.OpenCharts(o.experiment.Spec, r.Catalogue.Open)
	if err != nil {
		return nil, err
	}
	asked, err := validation.AskedNames(o.experiment.Spec, charts)
	if err != nil {
		return nil, err
	}
	var proofs []v1beta1.Proof
	for _, release := range installation.Releases {
		for _, pod := range store.PodsOf(o.objects.Pods, release.Name) {
			found, err := r.proofsIn(ctx, o, charts[release.Chart], pod, lives, asked)
			if err != nil {
				return nil, err
			}
			proofs = append(proofs, found...)
		}
	}
	return proofs, nil
}

// proofsIn returns the proofs of a store pod.
func (r *Reconciler) proofsIn(ctx context.Context, o observed, chart *storechart.Chart, pod corev1.Pod, lives []v1beta1.StorePod, asked []string) ([]v1beta1.Proof, error) {
	installed := o.experiment.Status.Store
	if store.SameLife(installed.Pods, lives, pod.Name) {
		if found := proofsBy(pod.Name, installed.Proofs); len(found) > 0 {
			return found, nil
		}
	}
	found, err := r.proofsOf(ctx, pod, asked)
	for i := range found {
		found[i].Proves, found[i].ChartDigest = chart.Proves(), chart.Digest()
	}
	return found, err
}

func proofsBy(pod string, proofs []v1beta1.Proof) []v1beta1.Proof {
	var out []v1beta1.Proof
	for _, proof := range proofs {
		if proof.Pod == pod {
			out = append(out, store.WithSettings(proof, proofs))
		}
	}
	return out
}

// variantFault evaluates the proofs as the gate of each measurement does later.
func (r *Reconciler) variantFault(o observed, installation plan.Store, proofs []v1beta1.Proof) (string, error) {
	readiness := o.readiness(installation)
	for _, release := range installation.Releases {
		if fault, err := r.releaseFault(o, installation, release, proofs, readiness); fault != "" || err != nil {
			return fault, err
		}
	}
	return "", nil
}

// releaseFault evaluates the proofs of a release.
func (r *Reconciler) releaseFault(o observed, installation plan.Store, release plan.Release, proofs []v1beta1.Proof, readiness store.Readiness) (string, error) {
	chart, err := r.Catalogue.Open(release.Chart)
	if err != nil {
		return "", err
	}
	asked, err := validation.Asked(o.experiment.Spec, release, chart)
	if err != nil {
		return "", err
	}
	upgraded, err := ordered(o, installation, release, chart)
	if err != nil {
		return "", err
	}
	for _, server := range release.Hosted() {
		host := store.Server{Release: release.Name, Name: server.Name}
		evidence := gates.Evidence{
			StoreBuilt:    o.experiment.Status.Store.Built(release.Name),
			Spec:          v1beta1.MeasurementSpec{ServerType: server.Type, Instance: server.Name},
			Proofs:        proofsFor(proofs, host),
			ExpectedClass: chart.ExpectedClass(server.Type),
			Asked:         asked,
			Ports:         readiness.Ports(host),
			ServerPods:    namesOf(store.PodsOf(o.objects.Pods, release.Name)),
		}
		evidence.Upgraded = kept(upgraded, evidence)
		if findings := gates.Variant(evidence); len(findings) > 0 {
			return findings[0].Message, nil
		}
	}
	return "", nil
}

func (r *Reconciler) proofsOf(ctx context.Context, pod corev1.Pod, asked []string) (proofs []v1beta1.Proof, err error) {
	limit := int64(store.ProofLog)
	stream, err := r.Logs.Open(ctx, pod, corev1.PodLogOptions{Container: store.Container(pod), LimitBytes: &limit})
	if err != nil {
		return nil, err
	}
	defer func() { _ = stream.Close() }()
	return store.ReadProofs(stream, pod, asked)
}
