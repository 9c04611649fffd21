// Package v1beta1 is the API of Ringside: an Experiment defines what is compared and under which load; a Measurement
// has the result of one phase on one server in one round; a MeasurementPart is what one load pod reports meanwhile.
//
// +kubebuilder:object:generate=true
// +groupName=ringside.dev
package v1beta1

//go:generate go tool controller-gen crd:allowDangerousTypes=false object paths=. output:crd:dir=../../../charts/ringside/files/crds

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion names the API group and its version.
var GroupVersion = schema.GroupVersion{Group: "ringside.dev", Version: "v1beta1"}

// AddToScheme registers the types of this package.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Experiment{}, &ExperimentList{}, &Measurement{}, &MeasurementList{}, &MeasurementPart{}, &MeasurementPartList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
