package node

import (
	"encoding/json"
	"fmt"
)

// cniConfig joins the node's pods with a bridge that is their gateway.
//
// The addresses given out are remembered under /run: they are void when the machine ends, and so are its pods.
func cniConfig(podSubnet string) ([]byte, error) {
	content, err := json.MarshalIndent(map[string]any{
		"cniVersion": "1.0.0",
		"name":       "pods",
		"plugins": []any{map[string]any{
			"type":   "bridge",
			"bridge": "pods",
			// The default route comes from here; a second one in ipam would make the plugin fail.
			"isDefaultGateway": true,
			"hairpinMode":      true, // a pod may reach itself through its service
			"ipam": map[string]any{
				"type":    "host-local",
				"dataDir": "/run/cni",
				"ranges":  [][]map[string]string{{{"subnet": podSubnet}}},
			},
		}},
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("render pod network: %w", err)
	}
	return content, nil
}
