package convert

import "ringside.dev/ringside/operators/api/v1beta1"

// phase converts a phase in place. v1alpha1 marks some types of phases, and the others are recognized by what they have.
func phase(table map[string]any, way direction) {
	if way == toBeta {
		kind := typeOf(table)
		delete(table, "idle")
		delete(table, "prepare")
		phaseFields.convert(table, way)
		table["type"] = string(kind)
		return
	}
	phaseFields.convert(table, way)
	switch table["type"] {
	case string(v1beta1.PhaseIdle):
		table["idle"] = true
	case string(v1beta1.PhasePrepare):
		table["prepare"] = true
	}
	delete(table, "type")
}

// typeOf returns the type of a phase of v1alpha1. Of a contradictory phase, which the operator rejects, it is the first that fits.
func typeOf(table map[string]any) v1beta1.PhaseType {
	switch {
	case !zero(table["idle"]):
		return v1beta1.PhaseIdle
	case !zero(table["capacity"]):
		return v1beta1.PhaseCapacity
	case !zero(table["recovery"]):
		return v1beta1.PhaseRecovery
	case !zero(table["faults"]):
		return v1beta1.PhaseFaults
	case !zero(table["prepare"]):
		return v1beta1.PhasePrepare
	}
	return v1beta1.PhaseMeasure
}
