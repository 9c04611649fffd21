package node

import (
	"fmt"
	"path/filepath"

	"ringside.dev/ringside/cluster/internal/forward"
	"ringside.dev/ringside/cluster/internal/topology"
)

const registriesDir = "registries"

// registryFiles configure containerd to use the cluster's registry for localhost:<port>, so that an image has the same
// name on the host, which pushes it, and on the nodes, which pull it.
func registryFiles(port int) map[string][]byte {
	if port == 0 {
		return nil
	}
	url := fmt.Sprintf("http://%s:%d", topology.ControlPlaneIP, topology.RegistryPort)
	// containerd 1.6 ignores the file unless it has a host section.
	content := fmt.Appendf(nil, "server = %q\n\n[host.%q]\n", url, url)
	return map[string][]byte{filepath.Join(registriesDir, forward.RegistryName(port), "hosts.toml"): content}
}
