package archive_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
)

// A bundle may come from any source.
func FuzzBundle(f *testing.F) {
	folder := exported(f, f.TempDir(), v1beta1.ProfileCPU)
	bundle, err := folder.WriteBundle("toy-20261121-001500", time.Unix(1_700_000_000, 0))
	require.NoError(f, err)
	packed, err := os.ReadFile(bundle)
	require.NoError(f, err)
	f.Add(packed)
	f.Add([]byte{})
	file := filepath.Join(f.TempDir(), "x.tar.gz")
	f.Fuzz(func(t *testing.T, packed []byte) {
		require.NoError(t, os.WriteFile(file, packed, 0o600))
		_, _ = archive.Read(file)
	})
}

// The content of a bundle may be anything too.
func FuzzRun(f *testing.F) {
	folder := exported(f, f.TempDir())
	require.NoError(f, folder.WriteDigests())
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(folder.Path, name))
		require.NoError(f, err)
		return text
	}
	manifests, err := filepath.Glob(filepath.Join(folder.Path, archive.MeasurementsDir, "*"))
	require.NoError(f, err)
	require.NotEmpty(f, manifests)
	measurement, err := os.ReadFile(manifests[0])
	require.NoError(f, err)
	f.Add(read(archive.ExperimentFile), measurement, read(archive.DigestsFile))
	f.Add([]byte("apiVersion: ringside.dev/v1beta1\nkind: Experiment\n"), []byte("apiVersion: ringside.dev/v1beta1\nkind: Measurement\nstatus: {parts: [{}]}\n"), []byte("x  y\n"))
	rows := read(archive.MeasurementsFile)
	file := filepath.Join(f.TempDir(), "x.tar.gz")
	f.Fuzz(func(t *testing.T, experiment, measurement, digests []byte) {
		if known, err := archive.ParseDigests(digests); err == nil {
			for _, name := range known.Names() {
				require.True(t, filepath.IsLocal(name), name)
			}
		}
		if identity, err := archive.Identify(experiment); err == nil {
			require.True(t, filepath.IsLocal(identity.Folder()), identity.Folder())
			require.Equal(t, 1, strings.Count(identity.Folder(), "/"))
		}
		require.NoError(t, os.WriteFile(file, packRun(t, map[string][]byte{
			archive.MeasurementsFile: rows, archive.ExperimentFile: experiment, archive.MeasurementsDir + "/m.yaml": measurement,
		}), 0o600))
		_, _ = archive.Read(file)
	})
}

func packRun(t *testing.T, files map[string][]byte) []byte {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.NoCompression)
	require.NoError(t, err)
	out := tar.NewWriter(z)
	for name, text := range files {
		require.NoError(t, out.WriteHeader(&tar.Header{Name: "run/" + name, Mode: 0o644, Size: int64(len(text))}))
		_, err := out.Write(text)
		require.NoError(t, err)
	}
	require.NoError(t, out.Close())
	require.NoError(t, z.Close())
	return packed.Bytes()
}
