package store

import (
	"slices"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// ToldOnce keeps of each server's proofs what one pod tells of its environment, and of the other pods what they promise; of settings that are the same
// everywhere those of one proof. A hundred nodes tell the same but for their addresses, in some kilobytes each, and an Experiment's object has to hold the
// proofs of all of them.
func ToldOnce(proofs []v1alpha1.Proof) []v1alpha1.Proof {
	told, settings := map[string]bool{}, map[string]bool{}
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
		if !told[proof.Server] {
			told[proof.Server] = true
			continue
		}
		promise, promises := proof.Environment[v1alpha1.SurvivesKill]
		proof.Environment = nil
		if promises {
			proof.Environment = map[string]string{v1alpha1.SurvivesKill: promise}
		}
	}
	return out
}

// Telling is the proof that tells of the environment, of those of one server; the first where none does, and nil where there are none.
func Telling(proofs []v1alpha1.Proof) *v1alpha1.Proof {
	if len(proofs) == 0 {
		return nil
	}
	return &proofs[max(slices.IndexFunc(proofs, tells), 0)]
}

// WithSettings returns the proof with the settings that it shares with one of the others.
func WithSettings(proof v1alpha1.Proof, others []v1alpha1.Proof) v1alpha1.Proof {
	for _, other := range others {
		if proof.SettingsSHA256 != "" && other.SettingsSHA256 == proof.SettingsSHA256 && len(proof.Settings) == 0 {
			proof.Settings = other.Settings
		}
	}
	return proof
}

// tells reports whether a proof has more of its environment than a promise.
func tells(proof v1alpha1.Proof) bool {
	_, promises := proof.Environment[v1alpha1.SurvivesKill]
	return len(proof.Environment) > 1 || len(proof.Environment) == 1 && !promises
}
