package controller

import (
	"fmt"
	"maps"
	"unique"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
)

// heldInPart is an annotation that marks a measurement which the cache holds in part. The API server never has it.
const heldInPart = "ringside.dev/held-in-part"

// cutter removes from finished measurements and ended load pods what neither decisions nor scrapes need, in the cache
// only. The figures are nine tenths of a measurement; with many load pods its parts are large as well. Code that needs
// a whole measurement reads it from the API server (whole.go).
type cutter struct {
	mark   map[string]string
	labels *alike[map[string]string]
	owners *alike[[]metav1.OwnerReference]
	result *v1beta1.Result
}

func newCutter() *cutter {
	return &cutter{
		mark:   map[string]string{heldInPart: "yes"},
		labels: &alike[map[string]string]{equal: maps.Equal[map[string]string, map[string]string]},
		owners: &alike[[]metav1.OwnerReference]{equal: func(a, b []metav1.OwnerReference) bool { return equality.Semantic.DeepEqual(a, b) }},
		result: &v1beta1.Result{},
	}
}

// measurement returns the part of a finished measurement that the cache holds.
func (c *cutter) measurement(m *v1beta1.Measurement) *v1beta1.Measurement {
	if isHeldInPart(m) {
		return m
	}
	out := &v1beta1.Measurement{
		TypeMeta: m.TypeMeta,
		ObjectMeta: metav1.ObjectMeta{
			Name: m.Name, Namespace: unique.Make(m.Namespace).Value(), UID: m.UID, ResourceVersion: m.ResourceVersion, Generation: m.Generation,
			CreationTimestamp: m.CreationTimestamp, DeletionTimestamp: m.DeletionTimestamp,
			Labels:          c.labels.one(map[string]string{v1beta1.LabelRun: m.Labels[v1beta1.LabelRun]}),
			OwnerReferences: c.owners.one(m.OwnerReferences), Annotations: c.mark,
		},
	}
	status := &out.Status
	status.Attempt, status.Valid = m.Status.Attempt, m.Status.Valid
	for _, condition := range m.Status.Conditions {
		status.Conditions = append(status.Conditions, metav1.Condition{Type: unique.Make(condition.Type).Value(),
			Status: unique.Make(condition.Status).Value(), LastTransitionTime: condition.LastTransitionTime})
	}
	if m.Status.Result != nil {
		status.Result = c.result // only its existence is needed
	} else {
		status.Failures = m.Status.Failures // the run may fail because of them
	}
	if len(m.Status.Faults) > 0 {
		out.Spec, status.Faults = m.Spec, m.Status.Faults // scrapes report them while the run continues
	}
	return out
}

func isHeldInPart(m *v1beta1.Measurement) bool {
	_, marked := m.Annotations[heldInPart]
	return marked
}

// refuseInPart returns an error if a measurement to be written is held in part.
func refuseInPart(m *v1beta1.Measurement) error {
	if !isHeldInPart(m) {
		return nil
	}
	return fmt.Errorf("measurement %s is cached without its figures and cannot be written: this is a bug of the operator, please report it", m.Name)
}

// pod removes the spec of an ended load pod: its status has the outcome. The pod stays as long as its Job, one hour.
func (c *cutter) pod(pod *corev1.Pod) *corev1.Pod {
	if pod.Labels[v1beta1.LabelComponent] != loadgen.Component || stillRuns(*pod) {
		return pod
	}
	out := *pod
	out.Annotations = nil
	out.Spec = corev1.PodSpec{NodeName: pod.Spec.NodeName}
	return &out
}
