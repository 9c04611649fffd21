// Package apiserver starts real API servers for tests. Only tests import it.
package apiserver

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Start starts an API server and its etcd, which end with this process, however that ends. envtest starts them in process groups of their own: an
// interrupt, and the end of a test's time, would leave them running.
func Start(environment *envtest.Environment) (*rest.Config, error) {
	assets, err := filepath.Abs(cmp.Or(environment.BinaryAssetsDirectory, os.Getenv("KUBEBUILDER_ASSETS")))
	if err != nil {
		return nil, fmt.Errorf("find the API server: %w", err)
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
