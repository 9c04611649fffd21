// Package apiserver starts real API servers for tests. Only tests import it.
package apiserver

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Start starts an API server and its etcd, which end with this process, however that ends. envtest starts them in process groups of their own: an
// interrupt, and the end of a test's time, would leave them running.
func Start(environment *envtest.Environment) (*rest.Config, error) {
	assets := environment.BinaryAssetsDirectory
	if assets == "" {
		var err error
		if assets, err = built(); err != nil {
			return nil, fmt.Errorf("start the API server: %w", err)
		}
		environment.BinaryAssetsDirectory = assets
	}
	folder, err := os.MkdirTemp("", "ringside-apiserver-")
	if err != nil {
		return nil, fmt.Errorf("start the API server: %w", err)
	}
	defer func() { _ = os.RemoveAll(folder) }() // each script has become its program by then
	if environment.ControlPlane.Etcd == nil {
		environment.ControlPlane.Etcd = &envtest.Etcd{}
	}
	for name, path := range map[string]*string{"etcd": &environment.ControlPlane.Etcd.Path, "kube-apiserver": &environment.ControlPlane.GetAPIServer().Path} {
		*path = filepath.Join(folder, name)
		script := fmt.Sprintf("#!/bin/sh\nexec setpriv --pdeathsig KILL '%s' \"$@\"\n", filepath.Join(assets, name))
		if err := os.WriteFile(*path, []byte(script), 0o700); err != nil {
			return nil, fmt.Errorf("start the API server: %w", err)
		}
	}
	return environment.Start()
}

// built returns the folder of the API server's programs: KUBEBUILDER_ASSETS, or where make cluster-build puts them in this repository.
func built() (string, error) {
	folder, err := filepath.Abs(os.Getenv("KUBEBUILDER_ASSETS"))
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		for ; err == nil && len(folder) > 1; folder = filepath.Dir(folder) {
			if _, absent := os.Stat(filepath.Join(folder, "cluster", "go.mod")); absent == nil {
				break
			}
		}
		folder = filepath.Join(folder, "build", "bin", "kube")
	}
	for _, program := range []string{"kube-apiserver", "etcd"} {
		if err == nil {
			_, err = os.Stat(filepath.Join(folder, program))
		}
	}
	if err != nil {
		return "", fmt.Errorf("%w; run make cluster-build, or set KUBEBUILDER_ASSETS to the folder of kube-apiserver and etcd", err)
	}
	return folder, nil
}

// New starts an API server that ends with the test. The test fails if there is none to start.
func New(t testing.TB, environment *envtest.Environment) *rest.Config {
	t.Helper()
	environment.ControlPlaneStartTimeout, environment.ControlPlaneStopTimeout = 3*time.Minute, time.Minute
	config, err := Start(environment)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, environment.Stop()) })
	return config
}
