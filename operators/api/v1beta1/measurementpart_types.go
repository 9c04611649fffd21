package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MeasurementPart is what one load pod reports while its Measurement is taken. It has the name of the pod, only that pod's meter writes it, and the
// pod's Measurement owns it. A part ends once: a report of progress that arrives late does not replace its end. With the result, the operator copies
// the parts to the Measurement and deletes these objects.
//
// +kubebuilder:validation:XValidation:rule="!(oldSelf.part.state in ['Done', 'Failed']) || self.part.state == oldSelf.part.state",message="a part that is Done or Failed keeps its state"
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=part,categories=ringside
// +kubebuilder:printcolumn:name="State",type=string,JSONPath=`.part.state`
// +kubebuilder:printcolumn:name="Ops",type=integer,JSONPath=`.part.operations`
// +kubebuilder:printcolumn:name="Errors",type=integer,JSONPath=`.part.errors`
// +kubebuilder:printcolumn:name="Node",type=string,JSONPath=`.part.node`,priority=1
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type MeasurementPart struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Part is the pod's result for its own Measurement.
	// +required
	Part Part `json:"part"`
	// Companions are the pod's results for the other Measurements of an interleaved phase. They are written together with the end of Part.
	// +optional
	// +listType=map
	// +listMapKey=measurement
	// +kubebuilder:validation:MaxItems=32
	Companions []CompanionPart `json:"companions,omitempty"`
}

// CompanionPart is a load pod's result for another Measurement than its own.
type CompanionPart struct {
	// Measurement is the name of that Measurement, which names the pod's own as its lead.
	// +required
	// +kubebuilder:validation:MaxLength=63
	Measurement string `json:"measurement"`
	// +required
	Part Part `json:"part"`
}

// MeasurementPartList is a list of parts.
//
// +kubebuilder:object:root=true
type MeasurementPartList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []MeasurementPart `json:"items"`
}
