package v1beta1

import (
	"cmp"
	"strings"
)

// RegistryScheme begins the reference of a chart in a registry.
const RegistryScheme = "oci://"

// ChartReference is the pattern of such a reference; the rule of ChartName repeats it. Each part of the repository begins with a letter or a
// digit, as the OCI distribution specification has it: one like ".." would lead out of the place that an operator allows. The chart's name becomes a
// label, which has no dots.
const ChartReference = `^oci://[^@/ ]+/([a-z0-9]+([._-]+[a-z0-9]+)*/)*[a-z]([a-z0-9-]{0,29}[a-z0-9])?@sha256:[0-9a-f]{64}$`

// StoreOf returns the store with the chart of a server.
func (s ExperimentSpec) StoreOf(server ServerSpec) StoreSpec {
	store := s.Store
	store.Chart = cmp.Or(server.Chart, store.Chart)
	return store
}

// InRegistry reports whether the chart is one in a registry, and not one of the operator's image.
func (s StoreSpec) InRegistry() bool { return strings.HasPrefix(s.Chart, RegistryScheme) }

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
