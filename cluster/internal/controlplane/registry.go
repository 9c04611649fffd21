package controlplane

import (
	"fmt"
	"os"
	"path/filepath"

	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/programs"
	"ringside.dev/ringside/cluster/internal/topology"
)

const (
	registryFile = "registry.yaml"
	usersFile    = "registry-users"
)

// Registry is the cluster's image registry.
type Registry struct {
	// Users is an htpasswd file with bcrypt hashes of the users who may push and pull. If empty, no login is needed.
	Users string
}

// config makes the registry listen on the machine's address that the nodes reach. The host reaches it through a
// forward.
func (r Registry) config() string {
	config := fmt.Sprintf(`version: 0.1
log:
  level: warn
  accesslog:
    disabled: true
storage:
  filesystem:
    rootdirectory: %s
http:
  addr: %s:%d
`, inMachine("registry"), topology.ControlPlaneIP, topology.RegistryPort)
	if r.Users != "" {
		config += fmt.Sprintf("auth:\n  htpasswd:\n    realm: ringside\n    path: %s\n", inMachine(usersFile))
	}
	return config
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
	if err := os.WriteFile(filepath.Join(home, registryFile), []byte(r.config()), 0o644); err != nil {
		return fmt.Errorf("write configuration of the registry: %w", err)
	}
	spec.Services = append(spec.Services, machine.Service{
		Name: programs.Registry,
		Env:  append(machine.Modest(), "OTEL_TRACES_EXPORTER=none"), // there is no receiver for traces
		Args: []string{filepath.Join(machine.BinDir, programs.Registry), "serve", inMachine(registryFile)},
	})
	return nil
}
