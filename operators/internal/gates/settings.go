package gates

import (
	"fmt"
	"maps"
	"slices"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/settings"
)

// notArrived compares the settings that a store pod runs with with those that were asked for.
func notArrived(asked map[string]string, proof v1alpha1.Proof) []string {
	if len(asked) == 0 {
		return nil
	}
	if proof.SettingsSHA256 == "" {
		return []string{fmt.Sprintf("variant: settings were asked for, and store pod %s does not report with which it runs", proof.Pod)}
	}
	var reasons []string
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		ran, told := proof.Settings[name]
		switch {
		case !told:
			reasons = append(reasons, fmt.Sprintf("variant: setting %s: asked was %s, and store pod %s does not report it", name, asked[name], proof.Pod))
		case !settings.Arrived(asked[name], ran):
			reasons = append(reasons, fmt.Sprintf("variant: setting %s: asked was %s, store pod %s runs with %s", name, asked[name], proof.Pod, ran))
		}
	}
	return reasons
}
