package v1beta1

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestKnowsAChartOfARegistryByNameAndDigest(t *testing.T) {
	for chart, want := range map[string]struct {
		inRegistry   bool
		name, digest string
	}{
		"cassandra": {false, "cassandra", ""},
		"oci://registry.example:5000/team/postgres@sha256:1234": {true, "postgres", "sha256:1234"},
		"oci://registry.example/postgres":                       {true, "postgres", ""},
	} {
		store := StoreSpec{Chart: chart}
		assert.Equal(t, want.inRegistry, store.InRegistry(), chart)
		assert.Equal(t, want.name, store.Name(), chart)
		assert.Equal(t, want.digest, store.ChartDigest(), chart)
	}
}
