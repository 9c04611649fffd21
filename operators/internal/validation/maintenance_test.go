package validation

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestATaskIsOneThatTheStoreOffers(t *testing.T) {
	phase := v1beta1.PhaseSpec{Name: "read", Type: v1beta1.PhaseFaults, Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill}, {Kind: v1beta1.FaultMaintain, Task: "repair"}}}
	for name, test := range map[string]struct {
		annotation string
		says       []string
	}{
		"offered":         {`ringside.dev/maintenance: "compact, repair"`, nil},
		"another":         {`ringside.dev/maintenance: "compact, vacuum"`, []string{"fault 1 of phase read is task repair, which store small does not offer: use one of compact, vacuum"}},
		"none is offered": {"", []string{"fault 1 of phase read is task repair, but store small offers no tasks of maintenance: use another kind"}},
	} {
		t.Run(name, func(t *testing.T) {
			var said []string
			for _, problem := range checkMaintenance(&v1beta1.ExperimentSpec{Phases: []v1beta1.PhaseSpec{{Name: "fill"}, phase}}, chartOf(t, test.annotation)) {
				said = append(said, problem.Error())
			}
			assert.Equal(t, test.says, said)
		})
	}
}
