package v1beta1

import (
	"strconv"
	"strings"
)

// Share is a part of a whole in percent, with at most one decimal: 3% or 0.1%.
//
// +kubebuilder:validation:MaxLength=8
// +kubebuilder:validation:Pattern=`^(100|[1-9]?[0-9](\.[0-9])?)%$`
type Share string

// PositiveShare is a Share that is not zero.
//
// +kubebuilder:validation:MaxLength=8
// +kubebuilder:validation:Pattern=`^(100|[1-9][0-9]?(\.[0-9])?|0\.[1-9])%$`
type PositiveShare string

// Permille returns the share in permille; 0 if it is empty.
func (s Share) Permille() int64 {
	whole, tenths, _ := strings.Cut(strings.TrimSuffix(string(s), "%"), ".")
	percent, _ := strconv.ParseInt(whole, 10, 64) // the API accepts nothing but numbers
	tenth, _ := strconv.ParseInt(tenths, 10, 64)
	return 10*percent + tenth
}

// Permille returns the share in permille; 0 if it is empty.
func (s PositiveShare) Permille() int64 { return Share(s).Permille() }
