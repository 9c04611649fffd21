package scale

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	ctrl "sigs.k8s.io/controller-runtime"
)

const root = "../.."

var (
	whole  = flag.Bool("scale", false, "simulate all sizes, and print their table")
	keep   = flag.String("keep", "", "a folder for the logs of what was simulated")
	onlyAt = flag.Int("only", 0, "simulate the size with so many nodes alone")
)

// TestScale simulates all sizes: `make scale`.
func TestScale(t *testing.T) {
	if !*whole {
		t.Skip("left out: it takes minutes (make scale)")
	}
	ctrl.SetLogger(logr.Discard())
	absolute := func(path string) string {
		path, err := filepath.Abs(path)
		require.NoError(t, err)
		require.FileExists(t, path)
		return path
	}
	folder := func(path string) string {
		path, err := filepath.Abs(path)
		require.NoError(t, err)
		require.DirExists(t, path)
		return path
	}
	kube := os.Getenv("KUBEBUILDER_ASSETS")
	if kube == "" {
		kube = root + "/build/bin/kube"
	}
	binaries := Binaries{Kube: folder(kube), KWOK: absolute(root + "/build/bin/kwok"), Operator: absolute(root + "/build/bin/ringside-operator"), Ringside: absolute(root + "/build/bin/ringside"),
		Charts: folder(root + "/charts"), Loads: folder(root + "/images"), CRDs: folder(root + "/charts/ringside/files/crds")}
	proof, err := proofs(binaries.Charts)
	require.NoError(t, err)
	work := t.TempDir()
	c, err := startCluster(t.Context(), binaries, work, proof)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = c.stop() // its data are discarded
		if *keep != "" {
			require.NoError(t, keepLogs(work, *keep))
		}
	})
	began := time.Now()
	say := func(format string, args ...any) {
		t.Logf("%5.0fs "+format, append([]any{time.Since(began).Seconds()}, args...)...)
	}
	var all []*Figures
	for _, size := range Sizes() {
		if *onlyAt != 0 && size.Nodes != *onlyAt {
			continue
		}
		figures, err := c.measure(t.Context(), size, "../internal/controller/testdata/measurement.yaml", say)
		require.NoError(t, err)
		all = append(all, figures)
		require.NoError(t, WriteTable(os.Stdout, all[len(all)-1:]))
	}
	require.NoError(t, WriteTable(os.Stdout, all))
}
