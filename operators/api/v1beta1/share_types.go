package v1beta1

// Share is a part of a whole in percent, with at most one decimal: 3% or 0.1%.
//
// +kubebuilder:validation:MaxLength=5
// +kubebuilder:validation:Pattern=`^(100|[1-9]?[0-9](\.[0-9])?)%$`
type Share string

// Some is a Share that is not zero.
//
// +kubebuilder:validation:MaxLength=5
// +kubebuilder:validation:Pattern=`^(100|[1-9][0-9]?(\.[0-9])?|0\.[1-9])%$`
type Some string
