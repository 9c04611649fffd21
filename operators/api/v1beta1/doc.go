// Package v1beta1 is the next version of the API of Ringside's experiments. The API server converts between it and v1alpha1, the version that
// is stored and that the operator uses (package convert). Types that did not change are those of v1alpha1.
//
// +groupName=ringside.dev
package v1beta1

import "k8s.io/apimachinery/pkg/runtime/schema"

// GroupVersion names the API group and its version.
var GroupVersion = schema.GroupVersion{Group: "ringside.dev", Version: "v1beta1"}
