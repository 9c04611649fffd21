package localcluster

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fake puts a program of that name in front of the PATH. It records its arguments, one call per line, and then runs a script.
func fake(t *testing.T, name, script string) (calls func() string) {
	t.Helper()
	folder := t.TempDir()
	log := filepath.Join(folder, "calls")
	text := "#!/bin/sh\nfor word; do printf '[%s]' \"$word\"; done >>'" + log + "'\necho >>'" + log + "'\n" + script + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o755))
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	return func() string {
		text, err := os.ReadFile(log)
		require.NoError(t, err)
		return string(text)
	}
}

func cluster(t *testing.T, tool string) Cluster {
	t.Helper()
	found, err := Named(tool)
	require.NoError(t, err)
	return Cluster{Tool: found, Name: "four", Context: found.prefix + "four"}
}

func TestEachToolLoadsArchivesWithItsOwnCommand(t *testing.T) {
	for tool, want := range map[string]string{
		"kind":     "[load][image-archive][a b.tar][--name][four]\n[load][image-archive][c.tar][--name][four]\n",
		"k3d":      "[image][import][a b.tar][c.tar][--cluster][four]\n",
		"minikube": "[image][load][a b.tar][--profile][four]\n[image][load][c.tar][--profile][four]\n",
	} {
		t.Run(tool, func(t *testing.T) {
			calls := fake(t, tool, "")
			require.NoError(t, cluster(t, tool).Load(t.Context(), Program, []string{"a b.tar", "c.tar"}))
			assert.Equal(t, want, calls())
		})
	}
}

func TestNothingIsCalledWithoutArchives(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	assert.NoError(t, cluster(t, "k3d").Load(t.Context(), Program, nil))
}

func TestWhatAToolSaysIsInTheError(t *testing.T) {
	calls := fake(t, "kind", `echo one; echo two; echo three; echo four; echo five; echo 'ERROR: no nodes found for cluster "four"' >&2; exit 1`)
	err := cluster(t, "kind").Load(t.Context(), Program, []string{"a.tar", "b.tar"})
	assert.EqualError(t, err, "load images into kind cluster four: kind load image-archive a.tar --name four: exit status 1: "+
		"two\nthree\nfour\nfive\nERROR: no nodes found for cluster \"four\"")
	assert.Equal(t, "[load][image-archive][a.tar][--name][four]\n", calls(), "the second is not tried")
}

func TestAToolThatIsNotInstalledIsNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	assert.EqualError(t, cluster(t, "minikube").Load(t.Context(), Program, []string{"a.tar"}),
		"load images into minikube cluster four: there is no program minikube; install it, or add its folder to the PATH")
}
