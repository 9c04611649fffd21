package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/settings"
)

const (
	// noSettings reports that two servers ran with the same settings.
	noSettings = "none"
	// unnamed reports that they differ in settings of which the measurements record only a digest.
	unnamed = "some that are not recorded"
	// mostSettings is the most settings that are listed for two servers.
	mostSettings = 20
)

// Settings returns the settings with which an arm ran, from the proofs of its measurements; false if one of them reports none. A setting
// that changed between measurements has all its values.
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

// proofs returns the proofs of the arm's measurements, one for each; nil stands for a missing one.
func (arm Arm) proofs() []*v1beta1.Proof {
	var out []*v1beta1.Proof
	for i := range arm.Run.Rows {
		row := &arm.Run.Rows[i]
		if row.Server != arm.Server || row.Warmup || !row.Valid {
			continue
		}
		var proof *v1beta1.Proof
		if m := arm.Run.Measurements[row.Measurement]; m != nil {
			proof = m.Status.Proof
		}
		out = append(out, proof)
	}
	return out
}

// settingsDiffer lists the settings in which two arms differed at run time; empty if they are unknown for one of the two.
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

// digests returns the distinct digests of the settings with which the arm ran, sorted.
func (arm Arm) digests() []string {
	var out []string
	for _, proof := range arm.proofs() {
		out = append(out, proof.SettingsSHA256)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ranAlike reports whether the proofs of two servers of one run are equal, and prove everything in which their specs differ.
func ranAlike(base, other Arm) bool {
	x, y := base.identity(), other.identity()
	if x == "" || x != y {
		return false
	}
	proves := base.proofs()[0].Proves
	return unproved(base, proves) == unproved(other, proves)
}

// ReportedFlags is what a store reports of its JVM's options. Servers are not compared by it: the settings have these options, too, without the
// addresses of one pod.
const ReportedFlags = "jvm_flags"

// identity returns what the proofs of an arm's measurements identify; empty if it is unknown, or changed between measurements.
func (arm Arm) identity() string {
	identity := ""
	for _, proof := range arm.proofs() {
		if proof == nil || proof.SettingsSHA256 == "" {
			return ""
		}
		environment := maps.Clone(proof.Environment)
		delete(environment, ReportedFlags)
		text, err := json.Marshal([]any{proof.Class, proof.PluginSHA256, proof.ImageDigest, proof.SettingsSHA256, environment})
		if err != nil || identity != "" && identity != string(text) {
			return ""
		}
		identity = string(text)
	}
	return identity
}

// unproved returns the part of a server's spec that its settings do not prove.
func unproved(arm Arm, proves []string) string {
	spec, known := arm.spec()
	if !known {
		return ""
	}
	var values map[string]any
	if spec.Values != nil && json.Unmarshal(spec.Values.Raw, &values) == nil {
		for _, path := range proves {
			remove(values, strings.Split(path, "."))
		}
	}
	return fmt.Sprint(values, spec.Options) // fmt prints maps in the order of their keys
}

// remove deletes the value at a path, and the tables that are empty then. A * in the path stands for every name.
func remove(table map[string]any, path []string) {
	for name, value := range table {
		if path[0] != name && path[0] != "*" {
			continue
		}
		deeper, isTable := value.(map[string]any)
		if len(path) > 1 && isTable {
			remove(deeper, path[1:])
		}
		if len(path) == 1 || isTable && len(deeper) == 0 {
			delete(table, name)
		}
	}
}

// spec returns the spec of the arm's server; false if the experiment is unknown.
func (arm Arm) spec() (v1beta1.ServerSpec, bool) {
	if arm.Run.Experiment != nil {
		for _, server := range arm.Run.Experiment.Spec.Servers {
			if server.Name == arm.Server {
				return server, true
			}
		}
	}
	return v1beta1.ServerSpec{}, false
}
