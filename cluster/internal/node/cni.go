package node

import (
	"encoding/json"
	"fmt"
)

// CNIPlugin gives each pod its own virtual cable, and the node a route to it. Packets between pods of a node are routed
// instead of bridged. Replies then pass the rules that translated a cluster IP, without the kernel module for filtering
// on bridges, which would affect the whole host.
const CNIPlugin = "ptp"

// cniConfig returns the network configuration of the node's pods.
//
// Assigned addresses are stored under /run, because the end of the machine, which ends its pods, invalidates them.
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
