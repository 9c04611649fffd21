package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// writtenPart returns the report of a load pod, as its meter writes it.
func writtenPart(owner types.UID, pod string, index, attempt int32) v1beta1.MeasurementPart {
	return v1beta1.MeasurementPart{
		ObjectMeta: metav1.ObjectMeta{Name: pod, OwnerReferences: []metav1.OwnerReference{{UID: owner}}},
		Part:       v1beta1.Part{Index: index, Attempt: attempt, Pod: pod, State: v1beta1.PartDone},
	}
}

func TestOnlyThePodsOfTheAttemptReportForAMeasurement(t *testing.T) {
	lead := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: "m", UID: "lead"}, Spec: v1beta1.MeasurementSpec{Pods: 2}, Status: v1beta1.MeasurementStatus{Attempt: 2}}
	own, second := writtenPart("lead", "m-a2-0-abcde", 0, 2), writtenPart("lead", "m-a2-1-abcde", 1, 2)
	own.Companions = []v1beta1.CompanionPart{{Measurement: "companion", Part: own.Part}}
	assert.Equal(t, map[string][]v1beta1.Part{"m": {own.Part, second.Part}, "companion": {own.Part}}, PartsOf(lead, []v1beta1.MeasurementPart{second, own}))

	forger := "x-a2-0-abcde"
	for name, written := range map[string]v1beta1.MeasurementPart{
		"a pod of an earlier attempt":              writtenPart("lead", "m-a1-0-abcde", 0, 1),
		"one that says that it is of this attempt": writtenPart("lead", "m-a1-0-abcde", 0, 2),
		"a pod of another measurement":             writtenPart("lead", forger, 0, 2),
		"one whose name begins in the same way":    writtenPart("lead", "m-a2-0-a1-0-abcde", 0, 2),
		"one that claims another index":            writtenPart("lead", "m-a2-0-abcde", 1, 2),
		"one more than the load has":               writtenPart("lead", "m-a2-2-abcde", 2, 2),
		"one of a measurement that was deleted":    writtenPart("former", "m-a2-0-abcde", 0, 2),
		"one that reports for another pod": func() v1beta1.MeasurementPart {
			part := writtenPart("lead", forger, 0, 2)
			part.Part.Pod = "m-a2-0-abcde"
			return part
		}(),
		"one that reports for itself again as a companion": func() v1beta1.MeasurementPart {
			part := writtenPart("lead", forger, 0, 2)
			part.Companions = []v1beta1.CompanionPart{{Measurement: "m", Part: own.Part}}
			return part
		}(),
	} {
		assert.Empty(t, PartsOf(lead, []v1beta1.MeasurementPart{written}), name)
	}
}

func TestKnowsTheNamesOfAJobsPods(t *testing.T) {
	for _, test := range []struct {
		name, job string
		index     int32
		is        bool
	}{
		{"m-a1-0-x7k2p", "m-a1", 0, true},
		{"m-a1-12-x7k2p", "m-a1", 12, true},
		{"m-a1-1-x7k2p", "m-a1", 0, false},
		{"m-a10-0-x7k2p", "m-a1", 0, false},
		{"m-a1-0-a1-0-x7k2p", "m-a1", 0, false},
		{"m-a1-0-", "m-a1", 0, false},
		{"", "m-a1", 0, false},
	} {
		assert.Equal(t, test.is, IsLoadPod(test.name, test.job, test.index), "%s of %s", test.name, test.job)
	}
}

func TestSeeded_eachLoadByItself(t *testing.T) {
	seeds := map[int64]string{}
	cells := Build(example(), 1).Cells()
	for _, cell := range cells {
		assert.Empty(t, seeds[cell.Spec.Seed], cell.Name)
		seeds[cell.Spec.Seed] = cell.Name
	}
	for _, cell := range Build(example(), 2).Cells() {
		assert.NotContains(t, seeds, cell.Spec.Seed, "of another run seed")
	}
}

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
