package validation

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkContract checks a rendered chart against the store contract (docs/reference/store-contract.md). A store without these objects would never become ready.
func checkContract(chart, manifest string, servers []string, sideBySide bool) error {
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
	silent := slices.DeleteFunc(slices.Clone(servers), func(server string) bool {
		return slices.ContainsFunc(services, func(s corev1.Service) bool { return answersFor(s, server) })
	})
	if len(silent) > 0 {
		lacks = append(lacks, fmt.Sprintf("headless Service with a port named %s that is labelled %s=%s", v1beta1.ServerPortName, v1beta1.LabelServer, strings.Join(silent, ", or ")))
	}
	if sideBySide && len(servers) > 1 {
		podless, err := withoutPods(manifest, servers)
		if err != nil {
			return err
		}
		if len(podless) > 0 {
			lacks = append(lacks, fmt.Sprintf("StatefulSet with pods labelled %s=%s", v1beta1.LabelServer, strings.Join(podless, ", or ")))
		}
	}
	if len(lacks) == 0 {
		return nil
	}
	return refuse(v1beta1.RefusedContractViolated, "store chart %s violates the store contract: it has no %s: see docs/reference/store-contract.md", chart, strings.Join(lacks, ", and no "))
}

// withoutPods returns the servers of which the manifest has no pods of their own.
func withoutPods(manifest string, servers []string) ([]string, error) {
	sets, err := storeSets(manifest)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(servers), func(server string) bool {
		return slices.ContainsFunc(sets, func(set appsv1.StatefulSet) bool { return set.Spec.Template.Labels[v1beta1.LabelServer] == server })
	}), nil
}

func answersFor(service corev1.Service, server string) bool {
	return service.Labels[v1beta1.LabelServer] == server && service.Spec.ClusterIP == corev1.ClusterIPNone &&
		slices.ContainsFunc(service.Spec.Ports, func(p corev1.ServicePort) bool { return p.Name == v1beta1.ServerPortName })
}
