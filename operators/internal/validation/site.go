package validation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	storagev1 "k8s.io/api/storage/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/storechart"
)

// CheckSite checks that a cluster has the storage classes that the stores of the experiment need. Nodes may still be added, by an autoscaler.
func CheckSite(ctx context.Context, experiment *v1beta1.Experiment, charts Charts, images storechart.Images, classes []storagev1.StorageClass) error {
	return eachStore(ctx, experiment, charts, images, func(manifest string) error { return checkClasses(manifest, classes) })
}

// isDefaultClass marks the storage class of claims that name none.
const isDefaultClass = "storageclass.kubernetes.io/is-default-class"

func checkClasses(manifest string, classes []storagev1.StorageClass) error {
	sets, err := storechart.StatefulSets(manifest)
	if err != nil {
		return fmt.Errorf("read the rendered chart: %w", err)
	}
	var names []string
	hasDefault := false
	for _, class := range classes {
		names = append(names, class.Name)
		hasDefault = hasDefault || class.Annotations[isDefaultClass] == "true"
	}
	fix := fmt.Sprintf("set store.values.storage.className to one of the cluster's: %s", strings.Join(names, ", "))
	if len(names) == 0 {
		fix = "the cluster has none; install one"
	}
	for _, set := range sets {
		for _, claim := range set.Spec.VolumeClaimTemplates {
			switch class := claim.Spec.StorageClassName; {
			case class == nil && !hasDefault:
				return problem.New(fix, "the volumes of StatefulSet %s name no storage class, and the cluster has no default one", set.Name)
			case class != nil && *class != "" && !slices.Contains(names, *class):
				return problem.New(fix, "the volumes of StatefulSet %s need storage class %s, which the cluster lacks", set.Name, *class)
			}
		}
	}
	return nil
}
