package gates

import (
	"slices"
	"strings"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// ServerNodes are the nodes of the store pods that run a server, sorted.
type ServerNodes struct {
	Server string
	Nodes  []string
}

// machines warns of servers that have stores at the same time on other nodes than the measured one: their ratio is that of the nodes, too.
func machines(e Evidence) Findings {
	at := slices.IndexFunc(e.Machines, func(s ServerNodes) bool { return s.Server == e.Spec.Server })
	if at < 0 || len(e.Machines[at].Nodes) == 0 || e.Spec.Warmup { // what is not compared needs no warning
		return nil
	}
	own := e.Machines[at]
	var elsewhere []string
	for _, other := range e.Machines {
		if len(other.Nodes) > 0 && !slices.Equal(own.Nodes, other.Nodes) {
			elsewhere = append(elsewhere, "that of "+other.Server+" on "+strings.Join(other.Nodes, ", "))
		}
	}
	if len(elsewhere) == 0 {
		return nil
	}
	return Findings{finding(v1beta1.GateStoreNodesDiffer, "machines: the store of %s ran on %s, but %s: their figures also compare these nodes; use nodes that have room for a pod of every server",
		own.Server, strings.Join(own.Nodes, ", "), strings.Join(elsewhere, ", and "))}
}
