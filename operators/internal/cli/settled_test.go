package cli

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestReportsOnceThatAPhaseHasReachedItsPrecision(t *testing.T) {
	var out bytes.Buffer
	app := &App{Err: &out, Now: time.Now}
	s := &session{app: app, screen: newScreen(app), run: &v1beta1.Experiment{}}
	s.printSettled()
	assert.Empty(t, out.String())
	s.run.Status.Precision = &v1beta1.PrecisionStatus{Rounds: 13, Settled: []v1beta1.SettledPhase{{Phase: "read-rate", Rounds: 13}}}
	for range 2 {
		s.printSettled()
		assert.Equal(t, "phase read-rate reached its precision after 13 rounds; later rounds are without it\n", out.String())
	}
	judged := s.run.Status.Precision
	judged.Rounds, judged.Reason, judged.Settled = 20, v1beta1.ReasonPrecisionReached, append(judged.Settled, v1beta1.SettledPhase{Phase: "read", Rounds: 20})
	s.printSettled()
	assert.NotContains(t, out.String(), "phase read ", "the run ends, and its last message says why")
}
