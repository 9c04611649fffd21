package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/settings"
)

const (
	// noSettings reports that two servers ran with the same settings.
	noSettings = "none"
	// unnamed reports that they did not, in settings of which the measurements keep no more than a digest.
	unnamed = "some that are not recorded"
	// mostSettings that are named of two servers.
	mostSettings = 20
)

// Settings with which an arm ran, by the proofs of its measurements; false where one of them reports none. A setting that changed from one measurement to
// the next has all its values.
func (arm Arm) Settings() (map[string]string, bool) {
	proofs := arm.proofs()
	if len(proofs) == 0 {
		return nil, false
	}
	values := map[string][]string{}
	for _, proof := range proofs {
		if proof == nil || proof.SettingsSHA256 == "" {
			return nil, false
		}
		for name, value := range proof.Settings {
			if !slices.Contains(values[name], value) {
				values[name] = append(values[name], value)
			}
		}
	}
	joined := map[string]string{}
	for name, all := range values {
		slices.Sort(all)
		joined[name] = strings.Join(all, " or ")
	}
	return joined, true
}

// proofs of the arm's measurements, one for each; nil stands for one that is missing.
func (arm Arm) proofs() []*v1alpha1.Proof {
	var out []*v1alpha1.Proof
	for i := range arm.Run.Rows {
		row := &arm.Run.Rows[i]
		if row.Server != arm.Server || row.Warmup || !row.Valid {
			continue
		}
		var proof *v1alpha1.Proof
		if m := arm.Run.Measurements[row.Measurement]; m != nil {
			proof = m.Status.Proof
		}
		out = append(out, proof)
	}
	return out
}

// settingsDiffer names the settings in which two arms differ as they ran; empty where that is not known of both.
func settingsDiffer(base, other Arm) string {
	x, knownX := base.Settings()
	y, knownY := other.Settings()
	if !knownX || !knownY {
		return ""
	}
	if differences := settings.Differ(x, y); len(differences) > 0 {
		return settings.Text(differences, mostSettings)
	}
	if !slices.Equal(base.digests(), other.digests()) {
		return unnamed
	}
	return noSettings
}

// digests of all settings with which the arm ran, in order.
func (arm Arm) digests() []string {
	var out []string
	for _, proof := range arm.proofs() {
		out = append(out, proof.SettingsSHA256)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ranAlike reports whether two servers of one run, whatever they were asked, proved to be the same: all that they were asked to differ in is proved by
// settings, and their proofs are alike.
func ranAlike(base, other Arm) bool {
	x, y := base.identity(), other.identity()
	if x == "" || x != y {
		return false
	}
	proves := base.proofs()[0].Proves
	return unproved(base, proves) == unproved(other, proves)
}

// identity of what an arm's measurements proved to have measured; empty where it is not known, or changed from one to the next.
func (arm Arm) identity() string {
	identity := ""
	for _, proof := range arm.proofs() {
		if proof == nil || proof.SettingsSHA256 == "" {
			return ""
		}
		environment := maps.Clone(proof.Environment)
		delete(environment, "jvm_flags") // they are among the settings, without the addresses of one pod
		text, err := json.Marshal([]any{proof.Class, proof.PluginSHA256, proof.ImageDigest, proof.SettingsSHA256, environment})
		if err != nil || identity != "" && identity != string(text) {
			return ""
		}
		identity = string(text)
	}
	return identity
}

// unproved is what a server was asked besides what its settings prove.
func unproved(arm Arm, proves []string) string {
	spec, known := arm.spec()
	if !known {
		return ""
	}
	var values map[string]any
	if spec.Values != nil && json.Unmarshal(spec.Values.Raw, &values) == nil {
		for _, name := range proves {
			delete(values, name)
		}
	}
	return fmt.Sprint(values, spec.Options) // maps are printed in the order of their keys
}

// spec of the arm's server; false where the experiment is not known.
func (arm Arm) spec() (v1alpha1.ServerSpec, bool) {
	if arm.Run.Experiment != nil {
		for _, server := range arm.Run.Experiment.Spec.Servers {
			if server.Name == arm.Server {
				return server, true
			}
		}
	}
	return v1alpha1.ServerSpec{}, false
}
