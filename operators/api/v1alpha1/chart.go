package v1alpha1

import "strings"

// registryScheme begins the reference of a chart in a registry.
const registryScheme = "oci://"

// InRegistry reports whether the chart is one in a registry, and not one of the operator's image.
func (s StoreSpec) InRegistry() bool { return strings.HasPrefix(s.Chart, registryScheme) }

// Name returns the chart's name. That of a chart in a registry is the last part of its repository.
func (s StoreSpec) Name() string {
	repository, _, _ := strings.Cut(s.Chart, "@")
	return repository[strings.LastIndex(repository, "/")+1:]
}

// ChartDigest returns the digest of a chart in a registry; empty for a chart of the operator's image.
func (s StoreSpec) ChartDigest() string {
	_, digest, _ := strings.Cut(s.Chart, "@")
	return digest
}
