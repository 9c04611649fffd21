package controller

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/gates"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/validation"
)

// A phase may upgrade a node of its store. From then on the node proves another server: the one that a value of the chart names. The order
// stands in the measurement of that phase, so an operator that starts later expects the same.

// upgradedFact is, in the environment of a measurement, which nodes were upgraded.
const upgradedFact = "upgraded"

// promises returns what the store pods of a release that were upgraded as ordered must prove since.
func promises(o observed, installation plan.Store, release plan.Release, chart *storechart.Chart) (map[string]gates.Promise, error) {
	return promisesTo(o, installation, release, chart, func(cell plan.Cell, m *v1beta1.Measurement) []string {
		var pods []string
		for _, fault := range m.Status.Faults {
			if cell.Spec.Faults[fault.Index].Upgrades() && fault.UndoneAt != nil && fault.Failure == "" {
				pods = append(pods, fault.Pod)
			}
		}
		return pods
	})
}

// ordered returns what the store pods of a release prove if an upgrade succeeded that was ordered in any attempt. Of an abandoned attempt,
// nothing else is known.
func ordered(o observed, installation plan.Store, release plan.Release, chart *storechart.Chart) (map[string]gates.Promise, error) {
	return promisesTo(o, installation, release, chart, func(cell plan.Cell, m *v1beta1.Measurement) []string {
		var pods []string
		for _, fault := range cell.Spec.Faults {
			for _, pod := range store.PodsOf(o.objects.Pods, release.Name) {
				if fault.Upgrades() && m.Status.Attempt > 0 && strings.HasSuffix(pod.Name, fmt.Sprintf("-%d", fault.Node)) {
					pods = append(pods, pod.Name)
				}
			}
		}
		return pods
	})
}

// promisesTo returns what the given pods of each measurement of a release prove after an upgrade; nil if there are none.
func promisesTo(o observed, installation plan.Store, release plan.Release, chart *storechart.Chart, upgraded func(plan.Cell, *v1beta1.Measurement) []string) (map[string]gates.Promise, error) {
	var pods []string
	for _, cell := range installation.Cells {
		if m := o.measurements[cell.Name]; m != nil && slices.Contains(release.Servers, cell.Spec.Server) {
			pods = append(pods, upgraded(cell, m)...)
		}
	}
	if len(pods) == 0 {
		return nil, nil
	}
	became, asked, err := validation.Upgraded(o.experiment.Spec, release, chart)
	if err != nil {
		return nil, err
	}
	out := map[string]gates.Promise{}
	for _, pod := range pods {
		out[pod] = gates.Promise{Server: became, Class: chart.ExpectedClass(became), Asked: asked}
	}
	return out, nil
}

// kept returns the promises that the pods keep by their proofs.
func kept(promised map[string]gates.Promise, evidence gates.Evidence) map[string]gates.Promise {
	out := maps.Clone(promised)
	maps.DeleteFunc(out, func(pod string, promise gates.Promise) bool {
		alone := evidence
		alone.ServerPods, alone.Upgraded = []string{pod}, map[string]gates.Promise{pod: promise}
		return len(gates.Variant(alone)) > 0
	})
	return out
}

// proofsOfPhase returns the proofs of the store's pods at the end of a phase: those with which it began and, of nodes that it upgraded, those
// that they logged since; none of them if one cannot be read.
func (r *Reconciler) proofsOfPhase(ctx context.Context, o observed, installation plan.Store, measurement *v1beta1.Measurement, present []v1beta1.StorePod) ([]v1beta1.Proof, error) {
	if !slices.ContainsFunc(measurement.Spec.Faults, v1beta1.FaultSpec.Upgrades) {
		return o.experiment.Status.Store.Proofs, nil
	}
	proofs, err := r.proofs(ctx, o, installation, present)
	if malformed := (*store.MalformedProofError)(nil); errors.As(err, &malformed) {
		return nil, nil // the gate reports that they are missing
	}
	return proofs, err
}

// named describes upgraded pods by the numbers of their nodes; empty if there are none.
func named(upgraded map[string]gates.Promise) string {
	var out []string
	for _, pod := range slices.Sorted(maps.Keys(upgraded)) {
		out = append(out, fmt.Sprintf("node %s to %s", pod[strings.LastIndexByte(pod, '-')+1:], upgraded[pod].Server))
	}
	return strings.Join(out, ", ")
}
