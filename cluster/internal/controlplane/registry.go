package controlplane

import (
	"fmt"
	"os"
	"path/filepath"

	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/programs"
	"ringside.dev/ringside/cluster/internal/topology"
)

const registryFile = "registry.yaml"

// registryConfig listens on the machine's one address that nodes reach; the host gets there by a forward.
func registryConfig() string {
	return fmt.Sprintf(`version: 0.1
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
}

// addRegistry makes the machine one that keeps images, too.
func addRegistry(spec *machine.Spec, home string) error {
	if err := os.WriteFile(filepath.Join(home, registryFile), []byte(registryConfig()), 0o644); err != nil {
		return fmt.Errorf("write configuration of the registry: %w", err)
	}
	spec.Services = append(spec.Services, machine.Service{
		Name: programs.Registry,
		Env:  append(machine.Modest(), "OTEL_TRACES_EXPORTER=none"), // nobody here takes its traces
		Args: []string{filepath.Join(machine.BinDir, programs.Registry), "serve", inMachine(registryFile)},
	})
	return nil
}
