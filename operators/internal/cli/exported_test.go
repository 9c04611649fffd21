package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// The operator removes runs after spec.ttlAfterFinished only if they have this mark.
func TestOnlyAFinishedRunThatWasExportedWholeIsMarkedSo(t *testing.T) {
	mark := func(d *desk) string { return d.experiment().Annotations[v1beta1.AnnotationExportedEnd] }
	t.Run("finished", func(t *testing.T) {
		d := newDesk(t, simulated.Operator{})
		d.do(exitDone, "run", "toy", "--server", "slow")
		assert.Equal(t, v1beta1.ExportMark(*d.experiment().Status.FinishedAt), mark(d), "by the cluster's clock, whatever this machine's is")
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
		require.NoError(t, os.WriteFile("volume/toy", nil, 0o600)) // blocks the experiment's folder
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
	d.do(exitDone, "run", "toy", "--server", "slow", "--set", "spec.phases.write.profile=[CPU, Wall]")
	files, err := filepath.Glob(filepath.Join(toyFolder, "profiles", "*-slow-write-*-1.collapsed.gz"))
	require.NoError(t, err)
	assert.Len(t, files, 2)
	page, err := os.ReadFile(filepath.Join(toyFolder, "report.html"))
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(page), `class="frames"`))
}

// A4, F5: an export that lacks a measurement never counts as complete.
func TestAnExportThatLacksAMeasurementIsNotCalledComplete(t *testing.T) {
	d := newDesk(t, simulated.Operator{})
	require.NoError(t, os.Mkdir("volume", 0o755))
	d.do(exitDone, "run", "toy", "--server", "slow", "--detach")
	require.Eventually(t, func() bool { return d.experiment().Status.FinishedAt != nil }, time.Minute, time.Millisecond)
	out, _ := d.do(exitDone, "list")
	assert.Regexp(t, `Finished +4 +4 +0 +ringside export `+toyRun+` +none`, out)

	d.faults.List = func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
		err := c.List(ctx, list, opts...)
		if all, is := list.(*v1beta1.MeasurementList); is {
			all.Items = all.Items[:3]
		}
		return err
	}
	_, said := d.do(exitFailed, "export")
	assert.Contains(t, said, "some measurements could not be exported: the run counts 4 finished measurements, but the cluster has 3")
	assert.Contains(t, said, "; it is kept in the cluster: ringside export "+toyRun+" tries again")
	assert.Empty(t, d.experiment().Annotations[v1beta1.AnnotationExportedEnd])
	assert.NoFileExists(t, filepath.Join(toyFolder, archive.DigestsFile))
	out, _ = d.do(exitDone, "list")
	assert.Regexp(t, `Finished +4 +4 +0 +`+toyFolder+` +ringside export `+toyRun+` +incomplete`, out)
	const lacks = "the export has 3 of 4 finished measurements; ringside export " + toyRun + " completes it while the run is in the cluster"
	out, said = d.do(exitFailed, "table")
	assert.Equal(t, 3, strings.Count(out, "\nslow "), "what is there is shown")
	assert.Contains(t, said, toyFolder+" is incomplete: "+lacks)
	d.do(exitDone, "report")
	page, err := os.ReadFile(filepath.Join(toyFolder, archive.ReportFile))
	require.NoError(t, err)
	assert.Contains(t, string(page), "the export has 3 of 4 finished measurements")
	_, said = d.do(exitBadInput, "archive", "--to", "volume")
	assert.Contains(t, said, "is not archived: the export has 3 of 4 finished measurements")

	d.faults.List = nil
	d.do(exitDone, "export")
	assert.NotEmpty(t, d.experiment().Annotations[v1beta1.AnnotationExportedEnd])
	out, _ = d.do(exitDone, "list")
	assert.Regexp(t, toyFolder+` +complete`, out)
	d.do(exitDone, "table")
	d.do(exitDone, "archive", "--to", "volume")
}

// A log that cannot be read is reported before the folder counts as complete.
func TestNothingIsArchivedThatIsKnownToBeIncomplete(t *testing.T) {
	d := newDesk(t, simulated.Operator{})
	require.NoError(t, os.Mkdir("volume", 0o755))
	d.faults.Get = func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
		if _, is := object.(*corev1.ConfigMap); is {
			return context.DeadlineExceeded
		}
		return c.Get(ctx, key, object, opts...)
	}
	_, said := d.do(exitFailed, "run", "toy", "--server", "slow")
	assert.Contains(t, said, "could not be exported: reading log ")
	assert.NoFileExists(t, filepath.Join(toyFolder, archive.DigestsFile))
	_, said = d.do(exitBadInput, "archive", "--to", "volume")
	assert.Contains(t, said, "is not archived: the export is incomplete: there is no SHA256SUMS; ringside export completes it")
}
