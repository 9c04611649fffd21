package validation

import (
	"context"
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// refuse returns the problem of a spec that cannot be run; what includes the fix.
func refuse(reason v1beta1.Reason, what string, args ...any) error {
	return problem.New("", what, args...).Because(reason)
}

// Accept returns a problem.Problem for a spec that cannot be run, another error if the charts cannot be read, and nil otherwise.
// The API server has already checked what the CRD's schema can express.
func Accept(ctx context.Context, experiment *v1beta1.Experiment, catalogue storechart.Catalogue, loads loadgen.Catalogue, images storechart.Images) error {
	spec := experiment.Spec
	for _, label := range []string{experiment.DocumentName(), experiment.RunID()} {
		if problems := validation.IsValidLabelValue(label); len(problems) > 0 {
			return refuse(v1beta1.RefusedInvalidName, "%q is not a valid name of an experiment or a run (%s); choose a shorter, simpler name", label, strings.Join(problems, "; "))
		}
	}
	charts, err := OpenCharts(spec, catalogue.Open)
	if err != nil {
		return err
	}
	if problems := Check(experiment, charts, loads, images); len(problems) > 0 {
		return refuse(problems[0].Reason, "%s", strings.ReplaceAll(problem.Join(problems).Error(), "\n", "; "))
	}
	return CheckStores(ctx, experiment, charts, images)
}

// CheckStores renders every installation and checks it against the store contract, without a cluster.
func CheckStores(ctx context.Context, experiment *v1beta1.Experiment, charts Charts, images storechart.Images) error {
	if err := eachStore(ctx, experiment, charts, images, func(string) error { return nil }); err != nil {
		return err
	}
	return checkAlike(ctx, experiment, charts, images)
}

// eachStore renders every release, checks it against the store contract, and passes its manifest to show.
func eachStore(ctx context.Context, experiment *v1beta1.Experiment, charts Charts, images storechart.Images, show func(manifest string) error) error {
	for _, installation := range plan.Build(experiment, 0).Stores {
		if installation.Round > 1 || installation.Installation > 1 {
			break // rounds and installations differ only in their order
		}
		together := apart{}
		for _, release := range installation.Releases {
			manifest, err := checkStore(ctx, experiment, release, charts[release.Chart], images)
			if err != nil {
				return err
			}
			if err := together.add(release, charts[release.Chart].Name(), manifest); err != nil {
				return err
			}
			if err := show(manifest); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkStore renders a release and checks it against the store contract. It returns the manifest.
func checkStore(ctx context.Context, experiment *v1beta1.Experiment, release plan.Release, chart *storechart.Chart, images storechart.Images) (string, error) {
	spec := experiment.Spec
	spec.Store.Chart = release.Chart
	values, err := StoreValues(spec, release, chart.Images(images))
	if err != nil {
		return "", refuse(v1beta1.RefusedInvalidValues, "store %s: %s", chart.Name(), err)
	}
	manifest, err := storechart.Render(ctx, storechart.Order{Release: release.Name, Chart: chart, Values: values}, experiment.Namespace)
	if refused := (problem.Problem{}); errors.As(err, &refused) {
		return "", refused
	}
	if err != nil {
		return "", refuse(v1beta1.RefusedInvalidValues, "%s", err)
	}
	if err := checkContract(chart.Name(), manifest, release.Hosted()); err != nil {
		return "", err
	}
	if err := checkContainers(manifest); err != nil {
		return "", err
	}
	if err := checkPorts(&spec, manifest); err != nil {
		return "", err
	}
	return manifest, checkFaultNodes(&spec, manifest)
}
