package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	authorizationv1 "k8s.io/api/authorization/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/client-go/discovery"

	"ringside.dev/ringside/operators/internal/installation"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/validation"
)

// checkSite checks a cluster for experiments: its version and storage classes, and the user's right to install the operator. It changes
// nothing, so that it can run before images are built.
func (a *App) checkSite(ctx context.Context, s *site, all []*prepared) error {
	config, err := a.Config(s.kubeconfig, s.context)
	if err != nil {
		return err
	}
	if err := runs.Answers(config); err != nil {
		return err
	}
	served, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return fmt.Errorf("make a discovery client for %s: %w", config.Host, err)
	}
	version, err := served.ServerVersion()
	if err != nil {
		return fmt.Errorf("read the version of the cluster: %w", err)
	}
	installer, err := installation.New(config)
	if err != nil {
		return err
	}
	var classes storagev1.StorageClassList
	if err := installer.Client.List(ctx, &classes); err != nil {
		return fmt.Errorf("read the cluster's storage classes: %w", err)
	}
	var found []problem.Problem
	for _, p := range all {
		found = append(found, checkVersion(p.charts, version.GitVersion)...)
		err := validation.CheckSite(ctx, p.experiment, p.charts, storechart.SomeImages(), classes.Items)
		if problems := problem.All(err); len(problems) > 0 {
			found = append(found, problems...)
		} else if err != nil {
			return err
		}
	}
	missing, err := missingRights(ctx, installer)
	if err != nil {
		return err
	}
	if missing != "" {
		found = append(found, problem.New("ask an administrator of the cluster to install Ringside, or for these rights", "the user of the kubeconfig may not create %s", missing))
	}
	return problem.Join(found)
}

// missingRights names what the user may not create of the objects that only an administrator may.
func missingRights(ctx context.Context, installer *installation.Installer) (string, error) {
	var missing []string
	for _, resource := range []struct{ group, name string }{
		{"", "namespaces"}, {"apiextensions.k8s.io", "customresourcedefinitions"}, {"rbac.authorization.k8s.io", "clusterroles"},
	} {
		review := authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: "create", Group: resource.group, Resource: resource.name},
		}}
		if err := installer.Client.Create(ctx, &review); err != nil {
			return "", fmt.Errorf("read the rights of the kubeconfig's user: %w", err)
		}
		if !review.Status.Allowed {
			missing = append(missing, resource.name)
		}
	}
	return strings.Join(missing, ", "), nil
}

// checkVersion rejects a version of Kubernetes that a chart does not support.
func checkVersion(charts validation.Charts, version string) []problem.Problem {
	var found []problem.Problem
	for _, name := range slices.Sorted(maps.Keys(charts)) {
		chart := charts[name]
		if wanted := chart.Helm().Metadata.KubeVersion; wanted != "" && !chartutil.IsCompatibleRange(wanted, version) {
			found = append(found, problem.New("use a cluster of that version", "the cluster has Kubernetes %s, and charts/%s needs %s", version, chart.Name(), wanted))
		}
	}
	return found
}
