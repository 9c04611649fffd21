package gates

import (
	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// storeCPU warns where the CPU time of the store is not reported, because it is not known of too many windows.
func storeCPU(e Evidence) Findings {
	cpu := e.Result.StoreCPU
	if e.Spec.Idle || cpu == nil || !measure.TooManyUnknown(cpu) {
		return nil // without its only figure, an idle phase is invalid
	}
	return Findings{finding(v1beta1.GateStoreCPUUnknown, "store CPU: the store reported its CPU time in %d of %d windows only, so that no figure of it is reported; read the log of the load pod", cpu.Windows, cpu.Windows+cpu.UnknownWindows)}
}
