package plan

import (
	"cmp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// PartsOf returns the parts of the current attempt of a measurement and its companions, by measurement, in the order of the pods. An admission
// policy gives each part the name of the pod that wrote it. That name tells the Job, so a pod can report for no other load.
func PartsOf(measurement *v1beta1.Measurement, all []v1beta1.MeasurementPart) map[string][]v1beta1.Part {
	ofLoad := func(part v1beta1.Part, pod string) bool { return reports(part, pod, measurement) }
	found := map[string][]v1beta1.Part{}
	for i := range all {
		written := &all[i]
		if !ownedBy(written, measurement.UID) || !ofLoad(written.Part, written.Name) {
			continue
		}
		found[measurement.Name] = append(found[measurement.Name], written.Part)
		for _, companion := range written.Companions {
			if companion.Measurement != measurement.Name && ofLoad(companion.Part, written.Name) {
				found[companion.Measurement] = append(found[companion.Measurement], companion.Part)
			}
		}
	}
	for _, parts := range found {
		slices.SortFunc(parts, func(a, b v1beta1.Part) int {
			return cmp.Or(cmp.Compare(a.Index, b.Index), strings.Compare(a.Pod, b.Pod))
		})
	}
	return found
}

func ownedBy(object metav1.Object, uid types.UID) bool {
	for _, owner := range object.GetOwnerReferences() {
		if owner.UID == uid {
			return true
		}
	}
	return false
}

// reports reports whether a part is that of the pod with this name, and the pod one of the Job of the measurement's attempt.
func reports(part v1beta1.Part, pod string, measurement *v1beta1.Measurement) bool {
	job := JobName(measurement.Name, measurement.Status.Attempt)
	return part.Attempt == measurement.Status.Attempt && part.Pod == pod && part.Index < measurement.Spec.Pods && IsLoadPod(pod, job, part.Index)
}
