package validation

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// Check makes the checks that the API's schema cannot express: whether the experiment can be planned, whether servers, values and
// load fit the store, and whether the loads support what the phases request. charts is nil if there are no charts.
func Check(experiment *v1beta1.Experiment, charts Charts, loads loadgen.Catalogue, images storechart.Images) []problem.Problem {
	spec := &experiment.Spec
	if len(spec.Servers) == 0 {
		return []problem.Problem{problem.New("add at least one to spec.servers", "there are no servers").Because(v1beta1.RefusedUnknownServer)}
	}
	if count := spec.MeasurementCount(); count > v1beta1.MaxMeasurements {
		return []problem.Problem{problem.New("use fewer, or split the experiment", "%d measurements are too many for one run, which can have %d", count, v1beta1.MaxMeasurements).Because(v1beta1.RefusedTooManyMeasurements)}
	}
	if logs := spec.MeasurementCount() * int64(spec.Load.Pods); logs > v1beta1.MaxLogs {
		return []problem.Problem{problem.New("use fewer measurements or load pods, or split the experiment", "%d measurements by %d load pods give %d logs, too many for one run, which can have %d",
			spec.MeasurementCount(), spec.Load.Pods, logs, v1beta1.MaxLogs).Because(v1beta1.RefusedTooManyLogs)}
	}
	found := slices.Concat(
		CheckBaseline(spec),
		problem.Because(v1beta1.RefusedInvalidTime, checkSeconds(spec)),
		problem.Because(v1beta1.RefusedInvalidPhase, checkPhases(spec)),
		problem.Because(v1beta1.RefusedInvalidMargin, checkEquivalent(spec)),
		problem.Because(v1beta1.RefusedInvalidInstallations, checkInstallations(spec)),
		problem.Because(v1beta1.RefusedInvalidPrecision, checkPrecision(spec)),
		problem.Because(v1beta1.RefusedInvalidInterleave, checkInterleaved(spec)),
		problem.Because(v1beta1.RefusedInvalidCapacity, checkCapacities(spec)),
		problem.Because(v1beta1.RefusedInvalidIdle, checkIdle(spec)),
		problem.Because(v1beta1.RefusedInvalidRecovery, checkRecoveries(spec)),
		problem.Because(v1beta1.RefusedInvalidFault, checkFaults(spec)),
		problem.Because(v1beta1.RefusedInvalidLoad, checkLoad(spec)),
		problem.Because(v1beta1.RefusedUnsupportedByLoad, checkOrders(spec, charts, loads)),
	)
	if len(found) == 0 {
		found = problem.Because(v1beta1.RefusedNamesCollide, checkNames(experiment))
	}
	unknown := problem.Because(v1beta1.RefusedInvalidHosting, checkHosting(spec))
	unknown = append(unknown, charts.each(spec, func(spec *v1beta1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
		return slices.Concat(
			problem.Because(v1beta1.RefusedUnknownServer, checkServerTypes(spec, chart)),
			problem.Because(v1beta1.RefusedInvalidInstance, checkInstances(spec, chart)),
			problem.Because(v1beta1.RefusedInvalidHosting, checkHosted(spec, chart)),
		)
	})...)
	if len(unknown) > 0 {
		return append(found, unknown...) // the schema would report the same again
	}
	hosted := hostedAtOnce(spec)
	return append(found, charts.each(spec, func(spec *v1beta1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
		return slices.Concat(
			problem.Because(v1beta1.RefusedInvalidCapacity, checkQueue(spec, chart)),
			problem.Because(v1beta1.RefusedSingleConnection, checkConnections(spec, chart)),
			problem.Because(v1beta1.RefusedSingleConnection, checkSharedConnections(spec, chart)),
			problem.Because(v1beta1.RefusedExclusiveServer, checkExclusive(spec, chart, hosted)),
			problem.Because(v1beta1.RefusedInvalidFault, checkMaintenance(spec, chart)),
			problem.Because(v1beta1.RefusedInvalidFault, checkUpgrades(spec, chart)),
			problem.Because(v1beta1.RefusedInvalidValues, checkValues(experiment, spec, chart, images)),
		)
	})...)
}

// checkInstallations rejects a number of installations if each round has its own installation anyway.
func checkInstallations(spec *v1beta1.ExperimentSpec) []problem.Problem {
	if spec.InstallationCount() == 1 || spec.Store.Hosting.AtOnce() {
		return nil
	}
	return []problem.Problem{problem.New(fmt.Sprintf("use rounds instead (ROUNDS=%d, --rounds), or --set spec.store.hosting=Shared", spec.Installations),
		"installations is %d, but %s hosting installs a store for every server in every round anyway", spec.Installations, v1beta1.HostingDedicated)}
}

func checkPhases(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	for _, phase := range spec.Phases {
		if err := compare.CheckPrimary(phase.PrimaryMetric, slices.Max(ratesOf(phase))); err != nil {
			problems = append(problems, problem.New("", "phase %s: %s", phase.Name, err).Because(v1beta1.RefusedInvalidMetric))
		}
		if turns := phase.Interleave; compare.NeedsWindows(phase.PrimaryMetric) && (turns == nil || turns.Mode == v1beta1.InterleaveDuet) {
			problems = append(problems, problem.New("interleave the phase in mode Windows, or choose another metric",
				"phase %s: primary metric %s needs interleaved windows of one server at a time", phase.Name, phase.PrimaryMetric).Because(v1beta1.RefusedInvalidMetric))
		}
		if compare.NeedsPhaseOfItsOwn(phase.PrimaryMetric) && (phase.Interleave != nil || phase.Type == v1beta1.PhaseIdle || phase.Recovery != nil || len(phase.Faults) > 0 || len(phase.Profile) > 0) {
			problems = append(problems, problem.New("choose another metric, or remove them",
				"phase %s: primary metric %s is not measured in a phase of type Idle, Recovery or Faults, nor with interleave or profile", phase.Name, phase.PrimaryMetric).Because(v1beta1.RefusedInvalidMetric))
		}
		if asked := phase.PrimaryMetric; asked != "" && (asked == compare.Capacity) != (phase.Capacity != nil) {
			problems = append(problems, problem.New("remove primaryMetric",
				"phase %s: primary metric %s: only a phase of type Capacity has capacity, and it has no other primary metric", phase.Name, asked).Because(v1beta1.RefusedInvalidMetric))
		}
		operations := spec.OperationCount(phase)
		for _, point := range phase.Points() {
			problems = append(problems, checkShares(spec, phase, operations, point)...)
		}
	}
	return problems
}

// checkShares checks that a phase's totals can be divided among its pods and threads.
func checkShares(spec *v1beta1.ExperimentSpec, phase v1beta1.PhaseSpec, operations int64, point v1beta1.Point) []problem.Problem {
	pods, threads := max(spec.PodCount(phase), 1), point.Threads
	if threads < pods {
		return []problem.Problem{problem.New(fmt.Sprintf("use at least one thread per pod, or --set spec.load.pods=%d", max(threads, 1)),
			"phase %s has %d threads for %d load pods", phase.Name, threads, pods)}
	}
	if operations > 0 && operations < int64(threads) {
		return []problem.Problem{problem.New(fmt.Sprintf("use %d or more (OPS=, --ops)", threads), "phase %s has %d operations for %d threads", phase.Name, operations, threads)}
	}
	whole := v1beta1.MeasurementSpec{Pods: pods, Threads: threads, Connections: point.Connections, Operations: operations, Duration: phase.Duration, Keys: spec.KeyCount(),
		TargetRate: point.TargetRate}
	if _, err := orders.Shares(whole, pods-1); err != nil {
		return []problem.Problem{problem.New("", "phase %s cannot be divided among %d load pods: %s", phase.Name, pods, err)}
	}
	return nil
}

// checkLoad rejects what the API server would reject when load pods are created, possibly hours later.
func checkLoad(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	for _, err := range metav1validation.ValidateLabels(spec.Load.NodeSelector, field.NewPath("spec.load.nodeSelector")) {
		problems = append(problems, problem.New("use labels that Kubernetes allows", "%s", err))
	}
	problems = append(problems, checkResources("spec.load.resources", spec.Load.Resources)...)
	for _, toleration := range spec.Load.Tolerations {
		if toleration.Operator == corev1.TolerationOpExists && toleration.Value != "" || toleration.Key == "" && toleration.Operator != corev1.TolerationOpExists {
			problems = append(problems, problem.New("with operator Exists remove the value; without a key use operator Exists", "spec.load.tolerations has an invalid toleration: %s", toleration.String()))
		}
	}
	return append(problems, checkParameters(spec)...)
}

// checkParameters rejects names that become the same environment variable.
func checkParameters(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	find := func(where string, layers ...v1beta1.Parameters) {
		seen := map[string]string{}
		for _, layer := range layers {
			for _, name := range slices.Sorted(maps.Keys(layer)) {
				variable := orders.ParamName(name)
				if other, there := seen[variable]; there && other != name {
					problems = append(problems, problem.New("keep one of them", "parameters %s and %s of %s are the same variable %s", other, name, where, variable))
				}
				seen[variable] = name
			}
		}
	}
	find("the load", spec.Load.Parameters)
	for _, phase := range spec.Phases {
		if len(phase.Parameters) > 0 {
			find("phase "+phase.Name, spec.Load.Parameters, phase.Parameters)
		}
	}
	return problems
}

// checkInstances rejects separate instances where the store cannot host them.
func checkInstances(spec *v1beta1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
	var problems []problem.Problem
	for _, server := range spec.Servers {
		switch {
		case server.InstanceName() == "":
		case spec.Store.Hosting != v1beta1.HostingShared:
			problems = append(problems, problem.New("remove ownInstance and options, or --set spec.store.hosting=Shared", "server %s has options or ownInstance, but with %s hosting every server has its own store and values",
				server.Name, cmp.Or(spec.Store.Hosting, v1beta1.HostingDedicated)))
		case !chart.HostsInstances():
			problems = append(problems, problem.New("remove ownInstance and options", "server %s has options or ownInstance, but store %s hosts one server of each type", server.Name, chart.Name()))
		case chart.InstanceType(server.InstanceName()) != server.ServerType():
			problems = append(problems, problem.New("give it another name", "server %s of type %s is named like one of type %s", server.Name, server.ServerType(), chart.InstanceType(server.InstanceName())))
		}
	}
	return problems
}

func checkServerTypes(spec *v1beta1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
	var problems []problem.Problem
	for _, server := range spec.Servers {
		if !slices.Contains(chart.ServerTypes(), server.ServerType()) {
			problems = append(problems, problem.New(choose(server.ServerType(), chart.ServerTypes()), "store %s has no server %q", chart.Name(), server.ServerType()))
		}
	}
	return problems
}

func checkConnections(spec *v1beta1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
	var problems []problem.Problem
	for _, server := range spec.Servers {
		if !chart.SingleConnection(server.ServerType()) {
			continue
		}
		if spec.Load.Pods > 1 {
			problems = append(problems, problem.New("leave it out of --server, or --set spec.load.pods=1",
				"server %s serves one connection at a time, but there are %d load pods", server.Name, spec.Load.Pods))
		}
		for _, phase := range spec.Phases {
			if most := slices.Max(connectionCounts(phase)); most > 1 {
				what := "threads"
				if most > slices.Max(threadCounts(phase)) {
					what = "connections"
				}
				problems = append(problems, problem.New(fmt.Sprintf("leave it out of --server, or --set spec.phases.%s.%s=1 for every phase", phase.Name, what),
					"server %s serves one connection at a time, but phase %s has %d %s, of which all but one would wait forever",
					server.Name, phase.Name, most, what))
				break
			}
		}
	}
	return problems
}
