package controller

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/store"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// observeHolders reads the pods of all runs if a pod of this run waits for a node with free resources.
func (r *Reconciler) observeHolders(ctx context.Context, o *observed) error {
	waits := func(pod corev1.Pod) bool { return store.ShortOf(&pod) }
	if !slices.ContainsFunc(o.loadPods, waits) && !slices.ContainsFunc(o.objects.Pods, waits) {
		return nil
	}
	var pods corev1.PodList
	if err := r.Client.List(ctx, &pods, client.InNamespace(o.experiment.Namespace), client.HasLabels{v1beta1.LabelExperiment}); err != nil {
		return fmt.Errorf("list the pods of all runs: %w", err)
	}
	o.holders = holders(pods.Items)
	return nil
}

// holders describes which of Ringside's pods hold CPU and memory; empty if none does. The operator may not read the pods of other programs.
func holders(pods []corev1.Pod) string {
	kinds := []struct {
		text string
		is   func(*corev1.Pod) bool
	}{
		{"that ended their load but are not removed", func(p *corev1.Pod) bool { return isLoad(p) && loadgen.Ended(p) }},
		{"of loads that run or wait for a scrape", isLoad},
		{"of stores", func(*corev1.Pod) bool { return true }},
	}
	held := make([]holding, len(kinds))
	for i := range pods {
		pod := &pods[i]
		if pod.Spec.NodeName == "" || !stillRuns(*pod) {
			continue
		}
		for k, kind := range kinds {
			if kind.is(pod) {
				held[k].add(pod)
				break
			}
		}
	}
	var out []string
	for k, kind := range kinds {
		if held[k].pods > 0 {
			out = append(out, held[k].String(kind.text))
		}
	}
	return strings.Join(out, ", ")
}

func isLoad(pod *corev1.Pod) bool {
	return pod.Labels[v1beta1.LabelComponent] == loadgen.Component
}

// holding sums the requests of the pods of a kind.
type holding struct {
	pods        int
	cpu, memory resource.Quantity
	// foreign lists containers of other programs that still run in the pods.
	foreign []string
}

func (h *holding) add(pod *corev1.Pod) {
	h.pods++
	for _, container := range pod.Spec.Containers {
		h.cpu.Add(*container.Resources.Requests.Cpu())
		h.memory.Add(*container.Resources.Requests.Memory())
	}
	if isLoad(pod) {
		h.foreign = append(h.foreign, loadgen.Foreign(pod)...)
	}
}

func (h *holding) String(kind string) string {
	slices.Sort(h.foreign)
	foreign := strings.Join(slices.Compact(h.foreign), ", ")
	if foreign != "" {
		foreign = " (foreign container: " + foreign + ")"
	}
	return fmt.Sprintf("%s %s%s with %s of CPU and %s of memory", textfmt.Count(h.pods, "pod"), kind, foreign, h.cpu.String(), h.memory.String())
}
