package preflight

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/cluster/internal/cgroup"
	"ringside.dev/ringside/cluster/internal/layout"
)

func TestLookingChangesNothing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: tries mounts and links in namespaces of its own")
	}
	root, bin := t.TempDir(), t.TempDir()
	called := filepath.Join(root, "called")
	for _, program := range []string{"modprobe", "insmod", "sysctl", "systemctl", "apt-get", "dpkg"} {
		script := "#!/bin/sh\necho \"$0\" >>" + called + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, program), []byte(script), 0o755))
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	tree, err := cgroup.Open(filepath.Join(root, "run"))
	require.NoError(t, err)
	before := everything(t, root)
	groups := tree.Remaining(layout.CgroupBase)

	facts, err := Find(layout.Layout{Instance: "x", State: filepath.Join(root, "not", "yet"), Bin: bin}, tree, Wish{Nodes: 4, APIPort: 1})

	require.NoError(t, err)
	assert.True(t, facts.Root)
	assert.Positive(t, facts.MemoryAvailable)
	assert.NotContains(t, facts.MissingKernel, "br_netfilter")
	assert.Equal(t, before, everything(t, root))
	assert.Equal(t, groups, tree.Remaining(layout.CgroupBase))
}

func everything(t *testing.T, root string) (found []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		found = append(found, path)
		return err
	}))
	return found
}
