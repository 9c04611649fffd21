package gates

import (
	"fmt"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// recovery holds what is left after a kill against what the store promised: one that breaks its promise has no time of recovery that
// anybody could use.
func recovery(e Evidence) []string {
	if e.Spec.Recovery == nil {
		return nil
	}
	found := e.Result.Recovery
	if found == nil {
		return []string{"recovery: the load did not tell what became of the store that was killed"}
	}
	var reasons []string
	if found.Wrong > 0 {
		reasons = append(reasons, fmt.Sprintf("recovery: %d acknowledged operations came back otherwise than they were sent", found.Wrong))
	}
	switch promise := promised(e.Proofs); {
	case promise == "":
		reasons = append(reasons, fmt.Sprintf("recovery: the store's proof does not say whether it survives a kill (%s)", v1alpha1.SurvivesKill))
	case promise == "true" && found.Lost > 0:
		reasons = append(reasons, fmt.Sprintf("recovery: %d of %d acknowledged operations are lost, and the store promised to keep them", found.Lost, found.Acknowledged))
	}
	return reasons
}

// lostAsPromised states a loss that nobody promised would not be.
func lostAsPromised(e Evidence) []string {
	found := e.Result.Recovery
	if e.Spec.Recovery == nil || found == nil || found.Lost == 0 || promised(e.Proofs) != "false" {
		return nil
	}
	return []string{fmt.Sprintf("recovery: %d of %d acknowledged operations are lost: this server keeps nothing when it is killed, as it says", found.Lost, found.Acknowledged)}
}

// promised by the proofs of all pods: true or false, and nothing where one of them does not say.
func promised(proofs []v1alpha1.Proof) string {
	promise := ""
	for _, proof := range proofs {
		said := proof.Environment[v1alpha1.SurvivesKill]
		if said == "" || promise != "" && promise != said {
			return ""
		}
		promise = said
	}
	return promise
}
