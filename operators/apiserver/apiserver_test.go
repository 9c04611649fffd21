package apiserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// assetsOfChild makes this test the child that starts an API server.
const assetsOfChild = "RINGSIDE_TEST_ASSETS"

func TestTheProgramsEndWithTheProcessThatStartedThem(t *testing.T) {
	if assets := os.Getenv(assetsOfChild); assets != "" {
		_, err := Start(&envtest.Environment{BinaryAssetsDirectory: assets, ControlPlaneStartTimeout: time.Minute})
		t.Fatalf("the parent kills this process before: %v", err)
	}
	assets := t.TempDir()
	pidFile := filepath.Join(assets, "pid")
	// It never becomes ready, so that the child waits.
	etcd := "#!/bin/sh\necho $$ >" + pidFile + ".new && mv " + pidFile + ".new " + pidFile + "\nexec sleep 600\n"
	require.NoError(t, os.WriteFile(filepath.Join(assets, "etcd"), []byte(etcd), 0o700))
	child := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
	child.Env = append(os.Environ(), assetsOfChild+"="+assets, "TMPDIR="+t.TempDir())
	require.NoError(t, child.Start())
	var pid string
	require.Eventually(t, func() bool {
		content, err := os.ReadFile(pidFile)
		pid = strings.TrimSpace(string(content))
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, child.Process.Kill())
	require.Error(t, child.Wait())
	assert.Eventually(t, func() bool {
		status, err := os.ReadFile("/proc/" + pid + "/stat")
		return os.IsNotExist(err) || strings.Contains(string(status), ") Z ") // nobody reaps it in a container without an init
	}, 10*time.Second, 10*time.Millisecond, "etcd still runs")
}
