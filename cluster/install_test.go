package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// installed returns the Helm commands of install.sh, with or without our own Prometheus image.
func installed(t *testing.T, monitoringValues string, environment ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{"cluster", "build/bin", "build/images"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, folder), 0o755))
	}
	for _, script := range []string{"install.sh", "step.sh"} {
		content, err := os.ReadFile(script)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(root, "cluster", script), content, 0o755))
	}
	for program, script := range map[string]string{
		"helm":            "echo \"$@\" >>asked",
		"ringside-images": "[ \"$2\" = operator ] && echo '{}' || echo '" + monitoringValues + "'",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, "build/bin", program), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	command := exec.Command(filepath.Join(root, "cluster/install.sh"))
	command.Env = append(os.Environ(), environment...)
	out, err := command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	asked, err := os.ReadFile(filepath.Join(root, "asked"))
	require.NoError(t, err)
	return string(asked)
}

func TestTheEmbeddedClustersSettingsAreOfNoOtherCluster(t *testing.T) {
	const ours, embedded = `{"prometheus": {}}`, "charts/monitoring/embedded-values.yaml"
	assert.Contains(t, installed(t, ours, "CLUSTER=embedded"), embedded)
	asked := installed(t, ours, "CLUSTER=current")
	assert.NotContains(t, asked, embedded)
	assert.Contains(t, asked, "-f build/images/monitoring-values.json")
	assert.Contains(t, asked, "grafana.enabled=false", "its image is public")
	assert.NotContains(t, installed(t, "{}", "CLUSTER=current"), "grafana.enabled")
}

func TestASecretOfTheRegistryIsHandedToWhateverPullsFromIt(t *testing.T) {
	const ours = `{"prometheus": {}}`
	asked := installed(t, ours, "PULL_SECRET=mine")
	assert.Contains(t, asked, "imagePullSecrets[0].name=mine")
	assert.Contains(t, asked, "prometheus.imagePullSecrets[0].name=mine")
	assert.NotContains(t, installed(t, "{}", "PULL_SECRET=mine"), "prometheus.imagePullSecrets", "a public image needs none")
	assert.NotContains(t, installed(t, ours), "imagePullSecrets")
}
