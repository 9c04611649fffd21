package validation

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkContainers checks the requests and limits of a rendered chart's containers.
func checkContainers(manifest string) error {
	containers, err := storechart.Containers(manifest)
	if err != nil {
		return fmt.Errorf("read the rendered chart: %w", err)
	}
	var problems []problem.Problem
	for _, container := range containers {
		problems = append(problems, checkResources("store.values: container "+container.Name, container.Resources)...)
	}
	return problem.Join(problem.Because(v1beta1.RefusedInvalidValues, problems))
}

// checkResources rejects requests and limits that the API server would reject when pods are created, possibly hours later.
func checkResources(where string, resources corev1.ResourceRequirements) []problem.Problem {
	var problems []problem.Problem
	for kind, list := range map[string]corev1.ResourceList{"requests": resources.Requests, "limits": resources.Limits} {
		for name, quantity := range list {
			switch plain := string(name); {
			case !strings.Contains(plain, "/") && !strings.HasPrefix(plain, corev1.ResourceHugePagesPrefix) && !slices.Contains(plainResources, name):
				problems = append(problems, problem.New(choose(plain, []string{"cpu", "memory", "ephemeral-storage"}), "%s.%s has no resource %q", where, kind, plain))
			case quantity.Sign() < 0:
				problems = append(problems, problem.New("use a quantity of at least 0", "%s.%s has %s of %s", where, kind, name, quantity.String()))
			case name != corev1.ResourceCPU && quantity.MilliValue()%1000 != 0:
				problems = append(problems, problem.New("use whole bytes, as in 256Mi", "%s.%s has %s of %s, a fraction of a byte", where, kind, name, quantity.String()))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(resources.Limits)) {
		request, limit := resources.Requests[name], resources.Limits[name]
		if request.Cmp(limit) > 0 && limit.Sign() >= 0 {
			problems = append(problems, problem.New("raise the limit or lower the request", "%s requests %s of %s but limits it to %s", where, request.String(), name, limit.String()))
		}
	}
	slices.SortFunc(problems, func(a, b problem.Problem) int { return strings.Compare(a.What, b.What) })
	return problems
}

// plainResources are the resources of a container that have no domain.
var plainResources = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}
