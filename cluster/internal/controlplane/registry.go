package controlplane

import (
	"fmt"
	"os"
	"path/filepath"

	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/programs"
	"ringside.dev/ringside/cluster/internal/topology"
)

const usersFile = "registry-users"

// Registry is the cluster's image registry.
type Registry struct {
	// Users is an htpasswd file with bcrypt hashes of the users who may push and pull. If empty, no login is needed.
	Users string
}

// add adds the registry to the machine.
func (r Registry) add(spec *machine.Spec, home string) error {
	if r.Users != "" {
		users, err := os.ReadFile(r.Users)
		if err != nil {
			return fmt.Errorf("read who may use the registry (--registry-users): %w", err)
		}
		if err := os.WriteFile(filepath.Join(home, usersFile), users, 0o600); err != nil {
			return fmt.Errorf("write who may use the registry: %w", err)
		}
	}
	spec.Services = append(spec.Services, machine.Service{
		Name: programs.Registry,
		Env:  machine.Modest(),
		Args: r.args(),
	})
	return nil
}

// args makes the registry listen on the machine's address that the nodes reach. The host reaches it through a forward.
func (r Registry) args() []string {
	args := []string{filepath.Join(machine.BinDir, programs.Registry),
		"--address", fmt.Sprintf("%s:%d", topology.ControlPlaneIP, topology.RegistryPort), "--folder", inMachine("registry")}
	if r.Users != "" {
		args = append(args, "--users", inMachine(usersFile))
	}
	return args
}
