package validation

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// checkHosting rejects a chart or values of one server where all servers are one release.
func checkHosting(spec *v1beta1.ExperimentSpec) []problem.Problem {
	var problems []problem.Problem
	for _, server := range spec.Servers {
		what := ""
		switch {
		case spec.Store.Hosting != v1beta1.HostingShared:
		case server.Chart != "":
			what = "chart"
		case server.Values != nil:
			what = "values"
		}
		if what != "" {
			problems = append(problems, problem.New("--set spec.store.hosting=SideBySide or Dedicated, or move the "+what+" to the store",
				"server %s has its own %s, but with %s hosting all servers are installed as one release", server.Name, what, spec.Store.Hosting))
		}
	}
	return problems
}

// checkHosted rejects more servers in one store than a store of the chart can host.
func checkHosted(spec *v1beta1.ExperimentSpec, chart *storechart.Chart) []problem.Problem {
	hosted := hostedAtOnce(spec)
	if most := chart.MostServers(); spec.Store.Hosting == v1beta1.HostingShared && hosted > most {
		return []problem.Problem{problem.New("--set spec.store.hosting=SideBySide or Dedicated", "hosting is %s with %d servers, but a store of chart %s hosts at most %d",
			spec.Store.Hosting, hosted, chart.Name(), most)}
	}
	return nil
}

// apart has the objects of the releases of an installation, with their servers.
type apart map[string]string

// add rejects a release that cannot be installed next to the others: a chart that was only installed alone may have names or ports that do not depend
// on the release.
func (a apart) add(release plan.Release, chart, manifest string) error {
	objects, err := storechart.Objects(manifest)
	if err != nil {
		return fmt.Errorf("read the rendered chart: %w", err)
	}
	server := release.Servers[0]
	for _, object := range objects {
		what := object.Kind + " " + object.Name
		if other, taken := a[what]; taken {
			return refuse(v1beta1.RefusedInvalidHosting, "the stores of servers %s and %s both have %s, so they cannot be installed at the same time: begin its name in chart %s with the name of the release, or --set spec.store.hosting=Dedicated",
				other, server, what, chart)
		}
		a[what] = server
	}
	sets, err := storeSets(manifest)
	if err != nil {
		return err
	}
	onHost := func(set appsv1.StatefulSet) bool { return set.Spec.Template.Spec.HostNetwork }
	if a["host network"] != "" && slices.ContainsFunc(sets, onHost) {
		return refuse(v1beta1.RefusedInvalidHosting, "the stores of servers %s and %s use the host network, so they need different machines: set hostNetwork to false, or --set spec.store.hosting=Dedicated", a["host network"], server)
	}
	if slices.ContainsFunc(sets, onHost) {
		a["host network"] = server
	}
	return nil
}
