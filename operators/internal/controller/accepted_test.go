package controller

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

func TestSpecOfARunMayOnlyGrowDefaults(t *testing.T) {
	spec := func(change func(*v1alpha1.ExperimentSpec)) v1alpha1.ExperimentSpec {
		out := *newScene().o.experiment.Spec.DeepCopy()
		out.Store.Values = &apiextensionsv1.JSON{Raw: []byte(`{"nodes": 4, "storage": {"size": "1Gi"}}`)}
		out.Load.Parameters = map[string]string{"columns": "5"}
		out.Load.PodLabels = v1alpha1.PodLabels{"team": "a"}
		out.Load.Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}
		if change != nil {
			change(&out)
		}
		return out
	}
	accepted, err := acceptedSpec(spec(func(s *v1alpha1.ExperimentSpec) { s.TTLAfterFinished = &metav1.Duration{Duration: time.Hour} }))
	require.NoError(t, err)
	for _, test := range []struct {
		name    string
		now     v1alpha1.ExperimentSpec
		changed bool
	}{
		{"the same", spec(nil), false},
		{"kept for another time", spec(func(s *v1alpha1.ExperimentSpec) { s.TTLAfterFinished = &metav1.Duration{Duration: time.Minute} }), false},
		{"suspended", spec(func(s *v1alpha1.ExperimentSpec) { s.Suspend = true }), false},
		{"a gate that the API has since, with its default", spec(func(s *v1alpha1.ExperimentSpec) { s.Gates.Disk = v1alpha1.GateEnforce }), false},
		{"a field of a phase that the API has since", spec(func(s *v1alpha1.ExperimentSpec) { s.Phases[0].TargetRate = 7 }), false},
		{"values in another order", spec(func(s *v1alpha1.ExperimentSpec) { s.Store.Values.Raw = []byte(`{"storage":{"size":"1Gi"},"nodes":4}`) }), false},
		{"another value of the chart", spec(func(s *v1alpha1.ExperimentSpec) {
			s.Store.Values.Raw = []byte(`{"nodes": 3, "storage": {"size": "1Gi"}}`)
		}), true},
		{"a further value of the chart", spec(func(s *v1alpha1.ExperimentSpec) {
			s.Store.Values.Raw = []byte(`{"nodes": 4, "storage": {"size": "1Gi", "class": "x"}}`)
		}), true},
		{"values where there were none for a server", spec(func(s *v1alpha1.ExperimentSpec) { s.Servers[0].Values = &apiextensionsv1.JSON{Raw: []byte(`{"a":1}`)} }), true},
		{"a further parameter", spec(func(s *v1alpha1.ExperimentSpec) { s.Load.Parameters["size"] = "9" }), true},
		{"a further label of the load", spec(func(s *v1alpha1.ExperimentSpec) { s.Load.PodLabels["cost"] = "b" }), true},
		{"a first annotation of the load", spec(func(s *v1alpha1.ExperimentSpec) { s.Load.PodAnnotations = v1alpha1.PodAnnotations{"a/b": "c"} }), true},
		{"a further limit of the load", spec(func(s *v1alpha1.ExperimentSpec) {
			s.Load.Resources.Limits = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("1Gi")}
		}), true},
		{"a first option of a server", spec(func(s *v1alpha1.ExperimentSpec) { s.Servers[0].Options = map[string]string{"workers": "3"} }), true},
		{"more threads", spec(func(s *v1alpha1.ExperimentSpec) { s.Phases[0].Threads++ }), true},
		{"a further server", spec(func(s *v1alpha1.ExperimentSpec) { s.Servers = append(s.Servers, v1alpha1.ServerSpec{Name: "hsha"}) }), true},
		{"no operations any more", spec(func(s *v1alpha1.ExperimentSpec) { s.Operations = nil }), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			changed, err := specChanged(accepted, test.now)
			require.NoError(t, err)
			assert.Equal(t, test.changed, changed)
		})
	}
}
