package validation

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkContract checks a rendered chart against the store contract (docs/reference/store-contract.md). A store without these objects would never become ready.
func checkContract(chart, manifest string, hosted []plan.Hosted) error {
	workloads, err := storechart.Workloads(manifest)
	if err != nil {
		return fmt.Errorf("read the rendered chart: %w", err)
	}
	services, err := storechart.Services(manifest)
	if err != nil {
		return fmt.Errorf("read the rendered chart: %w", err)
	}
	var lacks []string
	if !slices.ContainsFunc(workloads, func(w storechart.Workload) bool { return w.Store }) {
		lacks = append(lacks, "pods labelled app.kubernetes.io/component="+v1beta1.StoreComponent)
	}
	var silent []string
	for _, server := range hosted {
		if !slices.ContainsFunc(services, func(s corev1.Service) bool { return answersFor(s, server.Name) }) {
			silent = append(silent, server.Name)
		}
	}
	if len(silent) > 0 {
		lacks = append(lacks, fmt.Sprintf("headless Service with a port named %s that is labelled %s=%s", v1beta1.ServerPortName, v1beta1.LabelServer, strings.Join(silent, ", or ")))
	}
	if len(lacks) == 0 {
		return nil
	}
	return refuse(v1beta1.RefusedContractViolated, "store chart %s violates the store contract: it has no %s: see docs/reference/store-contract.md", chart, strings.Join(lacks, ", and no "))
}

func answersFor(service corev1.Service, server string) bool {
	return service.Labels[v1beta1.LabelServer] == server && service.Spec.ClusterIP == corev1.ClusterIPNone &&
		slices.ContainsFunc(service.Spec.Ports, func(p corev1.ServicePort) bool { return p.Name == v1beta1.ServerPortName })
}
