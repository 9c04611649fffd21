package v1beta1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// LoadSpec is the load image and its pods. The contract of a load image is in docs/reference/load-contract.md.
type LoadSpec struct {
	// Image is a Ringside image by its short name (stress, cassandra-load, ycsb), or a full reference.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	Image string `json:"image"`

	// Pods is the number of load pods. They start together, at one announced instant.
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=64
	Pods int32 `json:"pods"`

	// Parameters are passed to the image as environment variables RINGSIDE_PARAM_<NAME>.
	// +optional
	Parameters Parameters `json:"parameters,omitempty"`

	// Resources are requests and limits of a load container.
	// +optional
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`

	// NodeSelector selects nodes for load pods, to keep them off the store's nodes.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(name, self[name].size() <= 63)",message="use label values, of at most 63 characters"
	NodeSelector map[string]string `json:"nodeSelector,omitempty"`

	// Tolerations are tolerations of load pods.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=32
	Tolerations []corev1.Toleration `json:"tolerations,omitempty"`

	// PodAnnotations are annotations of load pods, for example to exclude them from a service mesh. Those of Kubernetes Jobs cannot be set.
	// +optional
	PodAnnotations PodAnnotations `json:"podAnnotations,omitempty"`

	// PodLabels are labels of load pods, for example for policies and cost allocation. Those that Ringside and Kubernetes Jobs set cannot be
	// set here.
	// +optional
	PodLabels PodLabels `json:"podLabels,omitempty"`

	// PriorityClassName is the priority class of load pods. With a high priority, Kubernetes may evict other pods for them.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:Pattern=`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$`
	PriorityClassName string `json:"priorityClassName,omitempty"`

	// Timeout is the time, in whole seconds, from the start of a load after which its phase counts as failed. A phase with a duration fails earlier:
	// half its duration, at least 5m, after it should have ended. There is no further attempt.
	// +kubebuilder:default="2h"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s') && duration(self) <= duration('168h')",message="use a time from 1s to 168h, as in 90s or 1h30m"
	Timeout metav1.Duration `json:"timeout"`
}

// PodAnnotations of load pods.
//
// +kubebuilder:validation:MaxProperties=32
// +kubebuilder:validation:XValidation:rule="self.all(name, name.size() <= 317 && name.matches('^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$'))",message="use annotation names that Kubernetes allows, as in sidecar.istio.io/inject"
// +kubebuilder:validation:XValidation:rule="self.all(name, !name.matches('^([a-z0-9-]+[.])*ringside[.]dev/|^batch[.]kubernetes[.]io/'))",message="annotations of ringside.dev/ and batch.kubernetes.io/ are set by Ringside and Kubernetes: remove them"
type PodAnnotations map[string]AnnotationValue

// AnnotationValue is the value of a pod annotation.
//
// +kubebuilder:validation:MaxLength=4096
type AnnotationValue string

// PodLabels of load pods.
//
// +kubebuilder:validation:MaxProperties=32
// +kubebuilder:validation:XValidation:rule="self.all(name, name.size() <= 317 && name.matches('^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$'))",message="use label names that Kubernetes allows, as in example.com/team"
// +kubebuilder:validation:XValidation:rule="self.all(name, !name.matches('^([a-z0-9-]+[.])*ringside[.]dev/|^batch[.]kubernetes[.]io/|^app[.]kubernetes[.]io/|^job-name$|^controller-uid$'))",message="labels of ringside.dev/, app.kubernetes.io/ and batch.kubernetes.io/, job-name and controller-uid are set by Ringside and Kubernetes: remove them"
type PodLabels map[string]LabelValue

// LabelValue is the value of a pod label: letters, digits, '.', '_' and '-'.
//
// +kubebuilder:validation:MaxLength=63
// +kubebuilder:validation:Pattern=`^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$`
type LabelValue string

// Parameters are parameters of a load image. A name becomes part of an environment variable's name.
//
// +kubebuilder:validation:MaxProperties=64
// +kubebuilder:validation:XValidation:rule="self.all(name, name.matches('^[a-zA-Z][a-zA-Z0-9._-]{0,62}$'))",message="use parameter names of at most 63 characters that begin with a letter and have letters, digits, '.', '_' and '-'"
// +kubebuilder:validation:XValidation:rule="self.all(name, self[name].size() <= 4096)",message="use parameter values of at most 4096 characters"
type Parameters map[string]string
