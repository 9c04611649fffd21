package controller

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults"
	"ringside.dev/ringside/operators/internal/gates"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/store"
	"ringside.dev/ringside/operators/internal/validation"
)

var (
	// errLogLost reports that a log that meter has delivered is missing.
	errLogLost = errors.New("the load's log is missing")
	// errLogWrong reports a log that cannot be read, has no operations, or contradicts the load tool's counts.
	errLogWrong = errors.New("the load's log is wrong")
)

// collectResult merges the logs of all load pods, evaluates the gates and finishes the measurement in one write. In an interleaved phase
// it does so for every unfinished companion, and for the lead last; all logs are read before anything is written.
type collectResult struct{ cell plan.Cell }

func (s collectResult) String() string { return "collect the result of measurement " + s.cell.Name }

func (s collectResult) do(ctx context.Context, r *Reconciler, o observed) (ctrl.Result, error) {
	lead := o.measurements[s.cell.Name]
	present, err := r.storeLives(ctx, o)
	if err != nil {
		return ctrl.Result{}, err
	}
	if returns(o, lead, present) {
		return ctrl.Result{RequeueAfter: attentive}, nil
	}
	change := interruption(lead, present)
	enforced := o.experiment.Spec.Gates.StoreRestart.Or(v1beta1.GateEnforce) == v1beta1.GateEnforce
	if change != "" && enforced && lead.Status.Attempt < o.experiment.Spec.MaxAttempts {
		return giveUp(s.cell, v1beta1.FailureStoreRestarted, change).do(ctx, r, o)
	}
	// A node reports a container later than meter does: the digests of the pods of a short phase may not be known yet.
	loadImage := r.loadImage(o, s.cell, lead.Status.LoadImage)
	if len(loadImage.Digests) == 0 && slices.ContainsFunc(o.loadPods, stillRuns) {
		return ctrl.Result{RequeueAfter: attentive}, nil
	}
	var collected []collection
	for _, measurement := range append(o.companions(s.cell), lead) {
		if measurement.Finished() {
			continue // finished by an operator that stopped between two companions
		}
		result, err := r.summarize(ctx, measurement, o.parts[measurement.Name])
		switch {
		case errors.Is(err, errLogLost):
			return giveUp(s.cell, v1beta1.FailureLoadPodLost, err.Error()).do(ctx, r, o)
		case errors.Is(err, errLogWrong):
			return giveUp(s.cell, v1beta1.FailureLoadToolFailed, err.Error()).do(ctx, r, o)
		case err != nil:
			return ctrl.Result{}, err
		}
		if change != "" {
			result.StoreIO = nil // a restarted pod counts from 0 again, which the sum over all pods may hide
		}
		impossible := measure.Impossible(&result)
		collected = append(collected, collection{impossible: impossible, measurement: measurement, result: result, loadImage: loadImage, present: present, change: change})
	}
	for _, c := range collected {
		if err := r.finishCollected(ctx, o, s.cell, c); err != nil {
			return ctrl.Result{}, err
		}
	}
	return again, nil // the parts are removed while the next load starts
}

// collection is the result of a load for one measurement, and the state of store and load at its end.
type collection struct {
	measurement *v1beta1.Measurement
	result      v1beta1.Result
	loadImage   *v1beta1.LoadImage
	present     []v1beta1.StorePod
	change      string
	// impossible names figures that no measurement can have.
	impossible []string
}

// finishCollected evaluates the gates and finishes the measurement.
func (r *Reconciler) finishCollected(ctx context.Context, o observed, cell plan.Cell, c collection) error {
	measurement, parts := c.measurement, o.parts[c.measurement.Name]
	installation := o.storeOf(cell)
	release := installation.ReleaseOf(measurement.Spec.Server)
	host := hostOf(installation, measurement.Spec.Server, measurement.Spec.HostedAs())
	environment, err := r.environment(ctx, o, release, parts)
	if err != nil {
		return err
	}
	all, err := r.proofsOfPhase(ctx, o, installation, measurement, c.present)
	if err != nil {
		return err
	}
	proofs := proofsFor(all, host)
	chart, err := r.Catalogue.Open(release.Chart)
	if err != nil {
		return err
	}
	upgraded, err := promises(o, installation, release, chart)
	if err != nil {
		return err
	}
	telling := store.Telling(proofs)
	if telling != nil && len(upgraded) > 0 {
		telling = store.Mixed(*telling, proofs)
		telling.Environment[upgradedFact] = named(upgraded)
	}
	if telling != nil {
		environment.Store = telling.Environment
	}
	asked, err := validation.Asked(o.experiment.Spec, release, chart)
	if err != nil {
		return err
	}
	beside, err := r.otherRuns(ctx, o, measurement)
	if err != nil {
		return err
	}
	foreign, _ := strangers(o.loadPods)
	verdict := gates.Judge(gates.Evidence{
		Spec:            measurement.Spec,
		Gates:           o.experiment.Spec.Gates,
		Parts:           parts,
		Faults:          measurement.Status.Faults,
		Result:          c.result,
		Proofs:          proofs,
		ExpectedClass:   chart.ExpectedClass(measurement.Spec.ServerType),
		Asked:           asked,
		Upgraded:        upgraded,
		Ports:           o.readiness(installation).Ports(host),
		StorePods:       podNames(measurement.Status.StorePods),
		ServerPods:      serverPods(measurement, o.objects.Pods, release.Name),
		Nodes:           o.nodes(),
		ReadyPods:       store.ReadyPods(c.present),
		StoreChange:     c.change,
		Repeated:        maintainedBefore(o, installation, measurement),
		RestartedBefore: restartedBefore(o, installation, measurement),
		StoreLimited:    store.LimitedByRange(store.Pods(o.objects.Pods)),
		StoreBuilt:      o.experiment.Status.Store.Built(release.Name),
		LoadImage:       c.loadImage,
		Environment:     environment,
		Machines:        machines(o, installation),
		OtherRuns:       beside,
		KnewCompactions: knewCompactions(o, installation),
		Foreign:         foreign,
		Impossible:      c.impossible,
	})
	return r.finishMeasurement(ctx, o, measurement, c, telling, environment, verdict)
}

// machines returns the nodes of each server's store pods.
func machines(o observed, installation plan.Store) []gates.ServerNodes {
	var all []gates.ServerNodes
	for _, server := range o.experiment.Spec.Servers {
		all = append(all, gates.ServerNodes{Server: server.Name, Nodes: store.NodesOf(store.PodsOf(o.objects.Pods, installation.ReleaseOf(server.Name).Name))})
	}
	return all
}

// knewCompactions reports whether the store reported its pending compactions before an earlier measurement.
func knewCompactions(o observed, of plan.Store) bool {
	return slices.ContainsFunc(of.Cells, func(cell plan.Cell) bool {
		m := o.measurements[cell.Name]
		return m != nil && m.Status.Result != nil && m.Status.Result.PendingCompactions != nil
	})
}

// stillRuns reports whether a pod has not ended, so that its node may still report more about it.
func stillRuns(pod corev1.Pod) bool {
	return pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed
}

func (r *Reconciler) finishMeasurement(ctx context.Context, o observed, measurement *v1beta1.Measurement, c collection, proof *v1beta1.Proof,
	environment v1beta1.Environment, verdict gates.Verdict) error {
	result := c.result
	err := r.writeMeasurement(ctx, o, measurement, func(status *v1beta1.MeasurementStatus) {
		status.Result = &result
		status.Parts = recorded(o.parts[measurement.Name])
		status.LoadImage = c.loadImage
		status.Environment = &environment
		status.Proof = proof
		status.Valid = verdict.Valid()
		status.InvalidReasons, status.Reasons = verdict.Invalid.Messages(), verdict.Invalid.Reasons()
		status.Warnings, status.WarningReasons = verdict.Warnings.Messages(), verdict.Warnings.Reasons()
	})
	if err != nil {
		return err
	}
	text := fmt.Sprintf("measurement %s: %s operations/s", measurement.Name, result.OpRate)
	if verdict.Valid() {
		r.event(o.experiment, normal, "Measured", "Measure", text)
	} else {
		r.event(o.experiment, warning, "MeasuredInvalid", "Measure", text+", invalid: "+strings.Join(verdict.Invalid.Messages(), results.Separator))
	}
	return r.report(ctx, o, progress{reason: v1beta1.ReasonMeasuring, message: "finished measurement " + measurement.Name})
}

// summarize merges the logs of the parts.
func (r *Reconciler) summarize(ctx context.Context, measurement *v1beta1.Measurement, parts []v1beta1.Part) (v1beta1.Result, error) {
	logs, err := r.logs(ctx, measurement, parts)
	if err != nil {
		return v1beta1.Result{}, err
	}
	pods := make([]measure.PodLog, 0, len(parts))
	for _, part := range parts {
		var chunks [][]byte
		for _, name := range part.Logs {
			chunks = append(chunks, logs[name])
		}
		pod, err := measure.PodLogOf(part, chunks)
		if err != nil {
			return v1beta1.Result{}, fmt.Errorf("%w: load pod %s: %w", errLogWrong, part.Pod, err)
		}
		pods = append(pods, pod)
	}
	result, err := summarize(measurement, pods)
	if err != nil {
		return v1beta1.Result{}, fmt.Errorf("%w: %w", errLogWrong, err)
	}
	result.Profile = profileOf(parts)
	result.PendingCompactions, result.PendingCompactionsAfter = pendingBefore(parts), pendingAfter(parts)
	if len(measurement.Status.Faults) > 0 {
		if result.Faults, err = faultEffects(measurement, pods, result); err != nil {
			return v1beta1.Result{}, fmt.Errorf("%w: %w", errLogWrong, err)
		}
		result.StoreEvents = eventsOf(parts)
	}
	return result, nil
}

// faultEffects returns the effects of the faults on the operations in the pods' logs.
func faultEffects(measurement *v1beta1.Measurement, pods []measure.PodLog, result v1beta1.Result) ([]v1beta1.FaultEffect, error) {
	pieces, err := measure.Pieces(pods)
	if err != nil {
		return nil, err
	}
	merged, err := measure.MergePods(pods)
	if err != nil {
		return nil, err
	}
	effects := faults.Effects(measurement, pieces)
	if result.NotBegun > 0 { // theirs would have been the longest
		return effects, nil
	}
	return effects, faults.AddLatency(effects, merged, result.LatencyKind)
}

// eventsOf returns the store's events as one of the load pods received them; nil if none did.
func eventsOf(parts []v1beta1.Part) *v1beta1.StoreEvents {
	for _, part := range parts {
		if part.StoreEvents != nil {
			return part.StoreEvents
		}
	}
	return nil
}

// pendingBefore returns the compactions that were pending before the load, as the first of the load pods that knows them read them; nil if none did.
func pendingBefore(parts []v1beta1.Part) *int64 {
	for _, part := range parts {
		if part.PendingCompactions != nil {
			return part.PendingCompactions
		}
	}
	return nil
}

// pendingAfter returns the compactions that were pending after the load, as the pod that ended last read them; nil if it did not.
func pendingAfter(parts []v1beta1.Part) *int64 {
	var last *v1beta1.Part
	for i := range parts {
		part := &parts[i]
		if part.LastIntervalAt != nil && (last == nil || part.LastIntervalAt.After(last.LastIntervalAt.Time)) {
			last = part
		}
	}
	if last == nil {
		return nil
	}
	return last.PendingCompactionsAfter
}

// profileOf returns the profile that one of the load pods took; nil if none did.
func profileOf(parts []v1beta1.Part) *v1beta1.Profile {
	for _, part := range parts {
		if part.Profile != nil {
			return part.Profile
		}
	}
	return nil
}

// summarize merges the logs of a load. An idle phase has one log, of one pod.
func summarize(measurement *v1beta1.Measurement, pods []measure.PodLog) (v1beta1.Result, error) {
	if measurement.Spec.Idle && len(pods) == 1 {
		log, err := pods[0].Whole()
		if err != nil {
			return v1beta1.Result{}, err
		}
		return measure.Rest(log)
	}
	return measure.Summarize(pods)
}

// fewLogs is the number of logs that are read one by one.
const fewLogs = 3

// logs reads the chunks of the parts' logs from the API server, by name. The cache does not hold them, because they are large and read once. Many
// logs of one chunk are read by one request, which any API server answers from its cache. What that cache does not show yet is read by name, and so
// are larger logs, which together would take much memory twice.
func (r *Reconciler) logs(ctx context.Context, measurement *v1beta1.Measurement, parts []v1beta1.Part) (map[string][]byte, error) {
	found := map[string][]byte{}
	large := slices.ContainsFunc(parts, func(part v1beta1.Part) bool { return len(part.Logs) > 1 })
	if len(parts) > fewLogs && !large {
		var list corev1.ConfigMapList
		err := r.Reader.List(ctx, &list, client.InNamespace(measurement.Namespace), client.MatchingLabels{v1beta1.LabelMeasurement: measurement.Name},
			&client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: "0"}})
		if err != nil {
			return nil, fmt.Errorf("list the logs of measurement %s: %w", measurement.Name, err)
		}
		for i := range list.Items {
			found[list.Items[i].Name] = list.Items[i].BinaryData[measure.LogKey]
		}
	}
	for _, part := range parts {
		for _, name := range part.Logs {
			if _, read := found[name]; read {
				continue
			}
			var chunk corev1.ConfigMap
			err := r.Reader.Get(ctx, client.ObjectKey{Namespace: measurement.Namespace, Name: name}, &chunk)
			if apierrors.IsNotFound(err) {
				return nil, fmt.Errorf("%w: ConfigMap %s", errLogLost, name)
			}
			if err != nil {
				return nil, fmt.Errorf("get ConfigMap %s: %w", name, err)
			}
			found[name] = chunk.BinaryData[measure.LogKey]
		}
	}
	return found, nil
}

// environment returns the environment of the measurement: the nodes of its server's store and of the load in their present state.
func (r *Reconciler) environment(ctx context.Context, o observed, release plan.Release, parts []v1beta1.Part) (v1beta1.Environment, error) {
	var nodes corev1.NodeList
	if err := r.Reader.List(ctx, &nodes); err != nil {
		return v1beta1.Environment{}, fmt.Errorf("list the nodes: %w", err)
	}
	var loadNodes []string
	for _, part := range parts {
		if part.Node != "" && !slices.Contains(loadNodes, part.Node) {
			loadNodes = append(loadNodes, part.Node)
		}
	}
	return v1beta1.Environment{
		StoreNodes: store.Describe(nodes.Items, store.NodesOf(store.PodsOf(o.objects.Pods, release.Name))),
		LoadNodes:  store.Describe(nodes.Items, loadNodes),
	}, nil
}

func proofsFor(proofs []v1beta1.Proof, server store.Server) []v1beta1.Proof {
	var out []v1beta1.Proof
	for _, proof := range proofs {
		if proof.Server == server.Name && proof.Release == server.Release {
			out = append(out, store.WithSettings(proof, proofs))
		}
	}
	return out
}

// serverPods returns the names of the store's pods at the start of the attempt, except those of other releases.
func serverPods(measurement *v1beta1.Measurement, present []corev1.Pod, release string) []string {
	own := namesOf(store.PodsOf(present, release))
	all := namesOf(store.Pods(present))
	return slices.DeleteFunc(podNames(measurement.Status.StorePods), func(name string) bool {
		return slices.Contains(all, name) && !slices.Contains(own, name)
	})
}

func namesOf(pods []corev1.Pod) []string {
	names := make([]string, len(pods))
	for i := range pods {
		names[i] = pods[i].Name
	}
	return names
}

func podNames(pods []v1beta1.StorePod) []string {
	names := make([]string, len(pods))
	for i, pod := range pods {
		names[i] = pod.Name
	}
	return names
}
