// Package v1alpha1 is the API of Ringside: an Experiment says what is compared and how it is loaded; a Measurement
// holds what one phase on one server in one round gave.
//
// +kubebuilder:object:generate=true
// +groupName=ringside.dev
package v1alpha1

//go:generate go tool controller-gen crd:allowDangerousTypes=false object paths=. output:crd:dir=../../../charts/ringside/files/crds

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// GroupVersion names the API group and its version.
var GroupVersion = schema.GroupVersion{Group: "ringside.dev", Version: "v1alpha1"}

var schemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}

// AddToScheme registers the types of this package.
var AddToScheme = schemeBuilder.AddToScheme

func init() {
	schemeBuilder.Register(&Experiment{}, &ExperimentList{}, &Measurement{}, &MeasurementList{})
}
