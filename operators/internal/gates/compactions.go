package gates

import "ringside.dev/ringside/operators/api/v1beta1"

// pendingCompactionsMode is the mode if the experiment sets none: few stores are without any compaction, and a short one changes little.
const pendingCompactionsMode = v1beta1.GateWarn

// pendingCompactions reports compactions that an earlier phase left behind: they use disks and cores during this one. What a phase that is never
// compared began with does not matter. Many stores report none, so an unknown number counts only where the gate is enforced, or where it was known
// before an earlier phase: a store that is silent then is busy.
func pendingCompactions(e Evidence) Findings {
	pending := e.Result.PendingCompactions
	switch {
	case e.Spec.Warmup:
		return nil
	case pending == nil && (e.KnewCompactions || e.Gates.PendingCompactions == v1beta1.GateEnforce):
		return Findings{finding(v1beta1.GateCompactionsUnknown, "pending compactions: the store did not report them when the phase began; read its log, or do not enforce the gate")}
	case pending == nil || *pending == 0:
		return nil
	}
	return Findings{finding(v1beta1.GateCompactionsPending, "pending compactions: %d compactions were pending in the store when the phase began; set a longer awaitCompactions in the phase before", *pending)}
}

// compactionsLeft warns of work of the phase that is missing in its figures of the store's disk use: that of compactions that were pending at its end.
func compactionsLeft(e Evidence) Findings {
	io, left := e.Result.StoreIO, e.Result.PendingCompactionsAfter
	if e.Spec.Warmup || e.Gates.PendingCompactions == v1beta1.GateOff || io == nil || io.WrittenBytes == nil {
		return nil
	}
	switch {
	case left == nil && e.Result.PendingCompactions != nil:
		return Findings{finding(v1beta1.GateCompactionsLeft, "pending compactions: the store did not report them at the end of the phase: what they still wrote is in no figure")}
	case left == nil || *left == 0:
		return nil
	}
	return Findings{finding(v1beta1.GateCompactionsLeft, "pending compactions: %d compactions were pending at the end of the phase: what they still wrote is in no figure; set a longer awaitCompactions", *left)}
}
