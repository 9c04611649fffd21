package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clone copies scripts into a folder of their own, with a stand-in for apt.sh that records its arguments.
func clone(t *testing.T, aptScript string, scripts ...string) string {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "cluster/internal/packages"), 0o755))
	for _, script := range scripts {
		require.NoError(t, os.WriteFile(filepath.Join(root, "cluster", script), []byte(read(t, script)), 0o755))
	}
	apt := "#!/bin/sh\necho \"$@\" >>apt-calls\n" + aptScript
	require.NoError(t, os.WriteFile(filepath.Join(root, "cluster/internal/packages/apt.sh"), []byte(apt), 0o755))
	return root
}

func TestUninstallRemovesPackagesAndTheBuildAndKeepsResults(t *testing.T) {
	for _, test := range []struct {
		name, cluster, apt string
		says               string
		removed            bool
	}{
		{name: "no cluster is up", says: "this stays:\n  results  exported runs", removed: true},
		{name: "a cluster is up", cluster: "e2e", says: "the embedded cluster e2e is not down; run make cluster-down"},
		{name: "packages cannot be removed", apt: "exit 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root, host := clone(t, test.apt, "uninstall.sh"), t.TempDir()
			for _, dir := range []string{"build/bin", "results"} {
				require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
			}
			require.NoError(t, os.MkdirAll(filepath.Join(host, "run/ringside-cluster", test.cluster), 0o755))
			oldGo := "#!/bin/sh\n[ \"$GOTOOLCHAIN\" = local ] || { echo go: download go1.26.8: no route to host >&2; exit 1; }\n"
			require.NoError(t, os.WriteFile(filepath.Join(host, "go"), []byte(oldGo), 0o755))
			cmd := exec.Command(filepath.Join(root, "cluster/uninstall.sh"))
			cmd.Env = append(os.Environ(), "RINGSIDE_HOST="+host, "GOTOOLCHAIN=go1.26.8", "PATH="+host+":"+os.Getenv("PATH"))
			output, err := cmd.CombinedOutput()
			assert.Equal(t, test.removed, err == nil, "%s", output)
			assert.Contains(t, string(output), test.says)
			assert.DirExists(t, filepath.Join(root, "results"))
			if test.removed {
				assert.NoDirExists(t, filepath.Join(root, "build"))
				assert.Equal(t, "uninstall\n", read(t, filepath.Join(root, "apt-calls")))
			} else {
				assert.DirExists(t, filepath.Join(root, "build"))
			}
		})
	}
}
