package gates

import "ringside.dev/ringside/operators/api/v1beta1"

// pendingCompactionsMode is the mode if the experiment sets none: few stores are without any compaction, and a short one changes little.
const pendingCompactionsMode = v1beta1.GateWarn

// pendingCompactions reports compactions that an earlier phase left behind: they use disks and cores during this one. What a phase that is never
// compared began with does not matter. Many stores report none, so an unknown number counts only where the gate is enforced.
func pendingCompactions(e Evidence) Findings {
	pending := e.Result.PendingCompactions
	switch {
	case e.Spec.Warmup:
		return nil
	case pending == nil && e.Gates.PendingCompactions == v1beta1.GateEnforce:
		return Findings{finding(v1beta1.GateCompactionsUnknown, "pending compactions: the store did not report them when the phase began; read its log, or do not enforce the gate")}
	case pending == nil || *pending == 0:
		return nil
	}
	return Findings{finding(v1beta1.GateCompactionsPending, "pending compactions: %d compactions were pending in the store when the phase began; set a longer awaitCompactions in the phase before", *pending)}
}
