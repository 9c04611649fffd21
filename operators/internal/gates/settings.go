package gates

import (
	"maps"
	"slices"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/settings"
)

// notArrived compares the settings of a store pod with those of the experiment.
func notArrived(asked map[string]string, proof v1beta1.Proof) Findings {
	if len(asked) == 0 {
		return nil
	}
	if proof.SettingsSHA256 == "" {
		return Findings{finding(v1beta1.GateSettingsUnknown, "variant: the experiment sets settings, but store pod %s does not report its settings", proof.Pod)}
	}
	var findings Findings
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		ran, told := proof.Settings[name]
		switch {
		case !told:
			findings = append(findings, finding(v1beta1.GateSettingsUnknown, "variant: setting %s: requested was %s, but store pod %s does not report it", name, asked[name], proof.Pod))
		case !settings.Arrived(asked[name], ran):
			findings = append(findings, finding(v1beta1.GateSettingMismatch, "variant: setting %s: requested was %s, but store pod %s runs with %s", name, asked[name], proof.Pod, ran))
		}
	}
	return findings
}
