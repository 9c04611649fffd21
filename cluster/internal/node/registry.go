package node

import (
	"fmt"
	"path/filepath"

	"ringside.dev/ringside/cluster/internal/forward"
	"ringside.dev/ringside/cluster/internal/topology"
)

const registriesDir = "registries"

// registryFiles lead what is called localhost:<port> on the host to the cluster's registry, so that an image has one name for
// who pushes it and for who pulls it.
func registryFiles(port int) map[string][]byte {
	if port == 0 {
		return nil
	}
	url := fmt.Sprintf("http://%s:%d", topology.ControlPlaneIP, topology.RegistryPort)
	// Without a host of its own in it, containerd 1.6 does not read the file.
	content := fmt.Appendf(nil, "server = %q\n\n[host.%q]\n", url, url)
	return map[string][]byte{filepath.Join(registriesDir, forward.RegistryName(port), "hosts.toml"): content}
}
