package v1beta1_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const generatedCRDs = "../../../charts/ringside/files/crds"

// What controller-gen makes of the types is what is committed.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	const api = "paths=ringside.dev/ringside/operators/api/"
	crds, objects := t.TempDir(), t.TempDir()
	for _, arguments := range [][]string{
		{"crd:allowDangerousTypes=false", api + "v1beta1", "output:crd:dir=" + crds},
		{"object", api + "v1beta1", "output:object:dir=" + objects},
	} {
		generate := exec.CommandContext(t.Context(), "go", append([]string{"tool", "controller-gen"}, arguments...)...)
		output, err := generate.CombinedOutput()
		require.NoError(t, err, string(output))
	}
	compare(t, objects, ".", "zz_generated.deepcopy.go")
	for _, name := range []string{"ringside.dev_experiments.yaml", "ringside.dev_measurements.yaml", "ringside.dev_measurementparts.yaml"} {
		compare(t, crds, generatedCRDs, name)
	}
}

func compare(t *testing.T, fresh, committed, name string) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(fresh, name))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(committed, name))
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, got), "%s is out of date: run `go generate ./operators/api/...`", name)
}
