package gates

import (
	"fmt"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// recovery compares the data after a kill with the store's promise: the recovery time of a store that breaks its promise has no meaning.
func recovery(e Evidence) []string {
	if e.Spec.Recovery == nil {
		return nil
	}
	found := e.Result.Recovery
	if found == nil {
		return []string{"recovery: the load did not report the recovery of the killed store"}
	}
	var reasons []string
	if found.Wrong > 0 {
		reasons = append(reasons, fmt.Sprintf("recovery: %d acknowledged operations differ from what was sent", found.Wrong))
	}
	switch promise := promised(e.Proofs); {
	case promise == "":
		reasons = append(reasons, fmt.Sprintf("recovery: the store's proof does not state whether data survives a kill (%s)", v1alpha1.SurvivesKill))
	case promise == "true" && found.Lost > 0:
		reasons = append(reasons, fmt.Sprintf("recovery: %d of %d acknowledged operations are lost, but the store promised to keep them", found.Lost, found.Acknowledged))
	}
	return reasons
}

// lostAsPromised reports a loss of data that the store does not promise to keep.
func lostAsPromised(e Evidence) []string {
	found := e.Result.Recovery
	if e.Spec.Recovery == nil || found == nil || found.Lost == 0 || promised(e.Proofs) != "false" {
		return nil
	}
	return []string{fmt.Sprintf("recovery: %d of %d acknowledged operations are lost: as its proof states, this server keeps nothing when it is killed", found.Lost, found.Acknowledged)}
}

// promised returns the promise in the proofs of all pods: true or false, or empty if one of them states none or they differ.
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
