package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestDescribesAMeasurementByWhatTellsItFromTheOthers(t *testing.T) {
	spec := v1beta1.MeasurementSpec{Server: "hsha", Phase: "read", Repeat: 2, Installation: 2, Round: 3, Threads: 64, Connections: 96, TargetRate: 500}
	for want, experiment := range map[string]v1beta1.ExperimentSpec{
		"hsha read":                              {Rounds: 1, Phases: []v1beta1.PhaseSpec{{Name: "read", Repeats: 1}}},
		"hsha read 2/3":                          {Rounds: 1, Phases: []v1beta1.PhaseSpec{{Name: "write", Repeats: 9}, {Name: "read", Repeats: 3}}},
		"hsha read, 64 threads":                  {Rounds: 1, Phases: []v1beta1.PhaseSpec{{Name: "read", Repeats: 1, Sweep: v1beta1.Sweep{Threads: []int32{1, 64}}}}},
		"hsha read, 96 connections, 500/s":       {Rounds: 1, Phases: []v1beta1.PhaseSpec{{Name: "read", Repeats: 1, Sweep: v1beta1.Sweep{Connections: []int32{96}, Rates: []int64{500, 1000}}}}},
		"hsha read, installation 2/5, round 3/8": {Rounds: 8, Installations: 5, Phases: []v1beta1.PhaseSpec{{Name: "read", Repeats: 1}}},
		"hsha read, round 3 of at most 60":       {Rounds: 60, Precision: "3%", Phases: []v1beta1.PhaseSpec{{Name: "read", Repeats: 1}}},
		"hsha read, round 3/8":                   {Rounds: 8, Phases: []v1beta1.PhaseSpec{{Name: "read", Repeats: 1}}},
	} {
		t.Run(want, func(t *testing.T) {
			assert.Equal(t, want, Describe(&v1beta1.Experiment{Spec: experiment}, &spec))
		})
	}
}

func TestDescribesAnInterleavedPhaseByItsServersAndWindows(t *testing.T) {
	experiment := interleavedExample()
	cells := Build(experiment, 1).Cells()
	assert.Equal(t, "read, round 1/2, 3 servers in windows of 1s", Describe(experiment, &cells[1].Spec))
	assert.Equal(t, cells[2].Spec.Server+" read, round 1/2", Describe(experiment, &cells[2].Spec))
}
