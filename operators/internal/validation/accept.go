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
	chart, err := catalogue.Open(spec.Store.Chart)
	if err != nil {
		return err
	}
	if problems := Check(experiment, chart, loads, images); len(problems) > 0 {
		return refuse(problems[0].Reason, "%s", strings.ReplaceAll(problem.Join(problems).Error(), "\n", "; "))
	}
	return CheckStores(ctx, experiment, chart, images)
}

// CheckStores renders every installation and checks it against the store contract, without a cluster.
func CheckStores(ctx context.Context, experiment *v1beta1.Experiment, chart *storechart.Chart, images storechart.Images) error {
	if err := eachStore(ctx, experiment, chart, images, func(string) error { return nil }); err != nil {
		return err
	}
	return checkAlike(ctx, experiment, chart, images)
}

// eachStore renders every installation, checks it against the store contract, and passes its manifest to show.
func eachStore(ctx context.Context, experiment *v1beta1.Experiment, chart *storechart.Chart, images storechart.Images, show func(manifest string) error) error {
	spec := experiment.Spec
	for _, installation := range plan.Build(experiment, 0).Stores {
		if installation.Round > 1 || installation.Installation > 1 {
			break // rounds and installations differ only in their order
		}
		values, err := StoreValues(spec, installation, chart.Images(images))
		if err != nil {
			return refuse(v1beta1.RefusedInvalidValues, "store %s: %s", chart.Name(), err)
		}
		manifest, err := storechart.Render(ctx, storechart.Order{Release: installation.Release, Chart: chart, Values: values}, experiment.Namespace)
		if refused := (problem.Problem{}); errors.As(err, &refused) {
			return refused
		}
		if err != nil {
			return refuse(v1beta1.RefusedInvalidValues, "%s", err)
		}
		if err := checkContract(chart.Name(), manifest, installation.HostedNames(), chart.SideBySide()); err != nil {
			return err
		}
		if err := checkContainers(manifest); err != nil {
			return err
		}
		if err := checkPorts(&spec, manifest); err != nil {
			return err
		}
		if err := checkFaultNodes(&spec, manifest); err != nil {
			return err
		}
		if err := show(manifest); err != nil {
			return err
		}
	}
	return nil
}
