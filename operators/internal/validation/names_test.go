package validation

import (
	"testing"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Long names are shortened to a digest of the whole name: these were searched for, and collide in round 2 and not in round 1.
func TestNamesThatCollideInALaterRoundAreFound(t *testing.T) {
	const long = "a-server-with-a-name-of-32-chars"
	for name, test := range map[string]struct {
		server string
		phases []string
		rounds int32
		says   []string
	}{
		"measurements": {long, []string{"a-phase-with-a-long-name-001491", "a-phase-with-a-long-name-002894"}, 2, []string{
			"phase a-phase-with-a-long-name-001491 of server " + long + " and phase a-phase-with-a-long-name-002894 of server " + long +
				" would share the measurement quorum-r2-" + long + "-224042: rename one of them"}},
		"one round of them": {long, []string{"a-phase-with-a-long-name-001491", "a-phase-with-a-long-name-002894"}, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "quorum"}}
			e.Spec.Servers, e.Spec.Rounds = []v1beta1.ServerSpec{{Name: test.server}}, test.rounds
			for _, phase := range test.phases {
				e.Spec.Phases = append(e.Spec.Phases, v1beta1.PhaseSpec{Name: phase, Repeats: 1, Threads: 1})
			}
			var said []string
			for _, fault := range checkNames(e) {
				said = append(said, fault.Error())
			}
			assert.Equal(t, test.says, said)
		})
	}
}
