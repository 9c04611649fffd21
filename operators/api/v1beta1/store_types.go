package v1beta1

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Hosting defines how servers share stores.
// +kubebuilder:validation:Enum=Dedicated;Shared;SideBySide
type Hosting string

const (
	// HostingDedicated installs a fresh store, with fresh data, for every server in every round.
	HostingDedicated Hosting = "Dedicated"
	// HostingShared installs one store that hosts all servers at once, each on its own port over the same data.
	HostingShared Hosting = "Shared"
	// HostingSideBySide installs a store for every server at once, each in a release of its own, with its own nodes and data.
	HostingSideBySide Hosting = "SideBySide"
)

// AtOnce reports whether one installation hosts all servers of the experiment.
func (h Hosting) AtOnce() bool { return h == HostingShared || h == HostingSideBySide }

// ChartName is the name of a chart in the operator's image, or a ChartReference.
// +kubebuilder:validation:MaxLength=512
// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z]([a-z0-9-]{0,29}[a-z0-9])?$') || self.matches('^oci://[^@/ ]+/([a-z0-9]+([._-]+[a-z0-9]+)*/)*[a-z]([a-z0-9-]{0,29}[a-z0-9])?@sha256:[0-9a-f]{64}$')",message="use the name of a chart, or the reference of one in a registry with its digest, as in oci://registry/repository/name@sha256:digest"
type ChartName = string

// StoreSpec is the store under test.
type StoreSpec struct {
	// Chart is the name of a chart in the operator's image (charts/ of the repository), or the reference of a chart in a registry with its
	// digest: oci://registry/repository/name@sha256:digest. The operator must allow the registry.
	// +required
	Chart ChartName `json:"chart"`

	// Hosting is Dedicated (a fresh store for each server and round), Shared (one store hosts every server) or SideBySide (a store for each
	// server, all installed at once).
	// +kubebuilder:default=Dedicated
	Hosting Hosting `json:"hosting"`

	// Values are chart values. The operator adds server.types, image and monitoring values.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Values *apiextensionsv1.JSON `json:"values,omitempty"`

	// ReadyTimeout is how long the store may take until it answers. A pod of store or load may wait half of it for a node, so that a
	// cluster autoscaler can add one.
	// +kubebuilder:default="10m"
	// +kubebuilder:validation:Type=string
	// +kubebuilder:validation:MaxLength=32
	// +kubebuilder:validation:XValidation:rule="duration(self) >= duration('1s') && duration(self) <= duration('24h')",message="use a time from 1s to 24h, as in 90s or 1h30m"
	ReadyTimeout metav1.Duration `json:"readyTimeout"`
}

// ServerSpec is one variant to compare.
type ServerSpec struct {
	// Name of the server in tables and charts.
	// +required
	// +kubebuilder:validation:Pattern=`^[a-z]([a-z0-9-]{0,29}[a-z0-9])?$`
	// +kubebuilder:validation:MaxLength=31
	Name string `json:"name"`

	// Type is the store's server.type. Default: the name.
	// +optional
	// +kubebuilder:validation:Pattern=`^[a-z]([a-z0-9-]{0,29}[a-z0-9])?$`
	// +kubebuilder:validation:MaxLength=31
	Type string `json:"type,omitempty"`

	// OwnInstance starts a separate server for this entry, even if another entry has the same type, with its own port, threads and options.
	// Shared hosting only; by default, entries of one type are one server of a shared store under several names.
	// +optional
	OwnInstance bool `json:"ownInstance,omitempty"`

	// Options are options of this server alone, as defined by the store's chart. Shared hosting only. A server with options has its own
	// instance, as with ownInstance.
	// +optional
	// +kubebuilder:validation:MaxProperties=32
	// +kubebuilder:validation:XValidation:rule="self.all(name, self[name].size() <= 4096)",message="use option values of at most 4096 characters"
	Options map[string]string `json:"options,omitempty"`

	// Chart of this server's store, if it is not that of the experiment: see store.chart. Not with shared hosting.
	// +optional
	Chart ChartName `json:"chart,omitempty"`

	// Values are chart values for this server alone, merged over the store's. Not with shared hosting.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Values *apiextensionsv1.JSON `json:"values,omitempty"`
}
