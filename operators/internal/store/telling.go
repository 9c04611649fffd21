package store

import (
	"maps"
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// ToldOnce removes repeated content of proofs: for each server, it keeps the environment of one pod and only the promises of the others,
// and it keeps equal settings once. A hundred nodes report the same apart from their addresses, some kilobytes each, and an Experiment
// stores the proofs of all.
func ToldOnce(proofs []v1beta1.Proof) []v1beta1.Proof {
	told, settings := map[Server]bool{}, map[string]bool{}
	out := slices.Clone(proofs)
	for i := range out {
		if digest := out[i].SettingsSHA256; digest != "" {
			if settings[digest] {
				out[i].Settings = nil
			}
			settings[digest] = true
		}
	}
	for i := range out {
		proof := &out[i]
		if !tells(*proof) {
			continue
		}
		if server := (Server{proof.Release, proof.Server}); !told[server] {
			told[server] = true
			continue
		}
		promise, promises := proof.Environment[v1beta1.SurvivesKill]
		proof.Environment = nil
		if promises {
			proof.Environment = map[string]string{v1beta1.SurvivesKill: promise}
		}
	}
	return out
}

// Telling returns the proof with the environment, of the proofs of one server; the first if none has it, nil if there are no proofs.
func Telling(proofs []v1beta1.Proof) *v1beta1.Proof {
	if len(proofs) == 0 {
		return nil
	}
	return &proofs[max(slices.IndexFunc(proofs, tells), 0)]
}

// Mixed returns the proof for a store of which some nodes were upgraded: a setting in which the nodes differ has all their values. The
// environment is a copy.
func Mixed(proof v1beta1.Proof, all []v1beta1.Proof) *v1beta1.Proof {
	proof.Environment, proof.Settings = maps.Clone(proof.Environment), maps.Clone(proof.Settings)
	if proof.Environment == nil {
		proof.Environment = map[string]string{}
	}
	for name := range proof.Settings {
		var values []string
		for _, other := range all {
			if value, told := other.Settings[name]; told && !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		slices.Sort(values)
		proof.Settings[name] = strings.Join(values, " and ")
	}
	return &proof
}

// WithSettings returns the proof with the settings that one of the other proofs holds for it.
func WithSettings(proof v1beta1.Proof, others []v1beta1.Proof) v1beta1.Proof {
	for _, other := range others {
		if proof.SettingsSHA256 != "" && other.SettingsSHA256 == proof.SettingsSHA256 && len(proof.Settings) == 0 {
			proof.Settings = other.Settings
		}
	}
	return proof
}

// tells reports whether a proof has more of its environment than a promise.
func tells(proof v1beta1.Proof) bool {
	_, promises := proof.Environment[v1beta1.SurvivesKill]
	return len(proof.Environment) > 1 || len(proof.Environment) == 1 && !promises
}
