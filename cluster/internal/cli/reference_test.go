package cli

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheReferencePageIsCurrent(t *testing.T) {
	want, err := Reference()
	require.NoError(t, err)
	got, err := os.ReadFile("../../../docs/reference/cli-cluster.md")
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "docs/reference/cli-cluster.md is out of date: run `make generate`")
	assert.Contains(t, want, "\n## ringside-cluster up\n")
	assert.NotContains(t, want, "machines", "hidden commands are not documented")
}
