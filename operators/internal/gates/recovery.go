package gates

import (
	"ringside.dev/ringside/operators/api/v1beta1"
)

// recovery compares the data after a kill with the store's promise: the recovery time of a store that breaks its promise has no meaning.
func recovery(e Evidence) Findings {
	if e.Spec.Recovery == nil {
		return nil
	}
	found := e.Result.Recovery
	if found == nil {
		return Findings{finding(v1beta1.GateRecoveryUnknown, "recovery: the load did not report the recovery of the killed store")}
	}
	var findings Findings
	if found.Wrong > 0 {
		findings = append(findings, finding(v1beta1.GateDataChanged, "recovery: %d acknowledged operations differ from what was sent", found.Wrong))
	}
	switch promise := promised(e.Proofs); {
	case promise == "":
		findings = append(findings, finding(v1beta1.GateDurabilityUnknown, "recovery: the store's proof does not state whether data survives a kill (%s)", v1beta1.SurvivesKill))
	case promise == "true" && found.Lost > 0:
		findings = append(findings, finding(v1beta1.GateDataLost, "recovery: %d of %d acknowledged operations are lost, but the store promised to keep them", found.Lost, found.Acknowledged))
	}
	return findings
}

// lostAsPromised reports a loss of data that the store does not promise to keep.
func lostAsPromised(e Evidence) Findings {
	found := e.Result.Recovery
	if e.Spec.Recovery == nil || found == nil || found.Lost == 0 || promised(e.Proofs) != "false" {
		return nil
	}
	return Findings{finding(v1beta1.GateDataLostAsStated, "recovery: %d of %d acknowledged operations are lost: as its proof states, this server keeps nothing when it is killed", found.Lost, found.Acknowledged)}
}

// promised returns the promise in the proofs of all pods: true or false, or empty if one of them states none or they differ.
func promised(proofs []v1beta1.Proof) string {
	promise := ""
	for _, proof := range proofs {
		said := proof.Environment[v1beta1.SurvivesKill]
		if said == "" || promise != "" && promise != said {
			return ""
		}
		promise = said
	}
	return promise
}
