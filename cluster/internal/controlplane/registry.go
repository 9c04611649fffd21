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

// Registry of images that the cluster has.
type Registry struct {
	// Users is an htpasswd file, with bcrypt: who may push and pull. Empty: whoever reaches it.
	Users string
}

// config listens on the machine's one address that nodes reach; the host gets there by a forward.
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

// add makes the machine one that keeps images, too.
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
		Env:  append(machine.Modest(), "OTEL_TRACES_EXPORTER=none"), // nobody here takes its traces
		Args: []string{filepath.Join(machine.BinDir, programs.Registry), "serve", inMachine(registryFile)},
	})
	return nil
}
