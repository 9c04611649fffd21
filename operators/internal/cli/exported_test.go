package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/simulated"
)

// The operator removes by this mark alone what spec.ttlAfterFinished bounds.
func TestOnlyAFinishedRunThatWasExportedWholeIsMarkedSo(t *testing.T) {
	mark := func(d *desk) string { return d.experiment().Annotations[v1alpha1.AnnotationExportedEnd] }
	t.Run("finished", func(t *testing.T) {
		d := newDesk(t, simulated.Operator{})
		d.do(exitDone, "run", "toy", "--server", "slow")
		assert.Equal(t, v1alpha1.ExportMark(*d.experiment().Status.FinishedAt), mark(d), "by the cluster's clock, whatever this machine's is")
	})
	t.Run("stopped", func(t *testing.T) {
		d := newDesk(t, simulated.Operator{HangAfter: 2})
		d.hanging(2)
		d.do(exitDone, "export")
		assert.Empty(t, mark(d))
	})
	t.Run("finished, with a file in the way", func(t *testing.T) {
		d := newDesk(t, simulated.Operator{})
		require.NoError(t, os.MkdirAll(toyFolder, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(toyFolder, "hlog"), nil, 0o600))
		d.do(exitFailed, "run", "toy", "--server", "slow")
		assert.Empty(t, mark(d))
	})
	t.Run("finished, and not archived as was asked", func(t *testing.T) {
		d := newDesk(t, simulated.Operator{})
		require.NoError(t, os.Mkdir("volume", 0o755))
		require.NoError(t, os.WriteFile("volume/toy", nil, 0o600)) // in the way of the experiment's folder
		_, said := d.do(exitFailed, "run", "toy", "--server", "slow", "--archive", "volume")
		assert.Contains(t, said, "it is kept in the cluster: ringside export 20261121-001500 --archive volume tries again")
		assert.Empty(t, mark(d))
		require.NoError(t, os.Remove("volume/toy"))
		d.do(exitDone, "export", "20261121-001500", "--archive", "volume")
		assert.NotEmpty(t, mark(d))
		assert.FileExists(t, "volume/toy/20261121-001500/SHA256SUMS")
	})
	t.Run("stopped, and to be archived", func(t *testing.T) {
		d := newDesk(t, simulated.Operator{HangAfter: 2})
		require.NoError(t, os.Mkdir("volume", 0o755))
		d.hanging(2)
		d.do(exitDone, "export", "--archive", "volume")
		assert.NoDirExists(t, "volume/toy")
	})
}

func TestExportsTheStacksOfProfilesAndDrawsThem(t *testing.T) {
	d := newDesk(t, simulated.Operator{})
	d.do(exitDone, "run", "toy", "--server", "slow", "--set", "spec.phases.write.profile=[cpu, wall]")
	files, err := filepath.Glob(filepath.Join(toyFolder, "profiles", "*-slow-write-*-1.collapsed.gz"))
	require.NoError(t, err)
	assert.Len(t, files, 2)
	page, err := os.ReadFile(filepath.Join(toyFolder, "report.html"))
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(page), `class="frames"`))
}
