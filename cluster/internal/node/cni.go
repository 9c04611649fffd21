package node

import (
	"encoding/json"
	"fmt"
)

// CNIPlugin gives each pod a cable of its own and the node a route to it. With no bridge between them, what one pod sends
// to another is routed like all else, so that replies pass the rules which turned a cluster IP into a pod's without
// the kernel module by which bridges are filtered: that would be the whole host's.
const CNIPlugin = "ptp"

// cniConfig joins the node's pods.
//
// The addresses given out are remembered under /run: they are void when the machine ends, and so are its pods.
func cniConfig(podSubnet string) ([]byte, error) {
	content, err := json.MarshalIndent(map[string]any{
		"cniVersion": "1.0.0",
		"name":       "pods",
		"plugins": []any{map[string]any{
			"type":   CNIPlugin,
			"ipMasq": false,
			"ipam": map[string]any{
				"type":    "host-local",
				"dataDir": "/run/cni",
				"ranges":  [][]map[string]string{{{"subnet": podSubnet}}},
				"routes":  []map[string]string{{"dst": "0.0.0.0/0"}},
			},
		}},
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("render pod network: %w", err)
	}
	return content, nil
}
