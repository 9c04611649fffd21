package books

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/soak/schedule"
)

var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

const (
	first  = "run-r1-inline-write-1"
	second = "run-r1-inline-read-1"
)

// scene is a run of two measurements that is as it should be, and the driver's log.
type scene struct {
	run  Run
	hits []Hit
}

// measurement that ran from the first to the tenth second after noon.
func measurement(name string) v1beta1.Measurement {
	begun, ended := metav1.NewMicroTime(noon.Add(time.Second)), metav1.NewMicroTime(noon.Add(10*time.Second))
	return v1beta1.Measurement{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       v1beta1.MeasurementSpec{Pods: 1, Operations: 100},
		Status: v1beta1.MeasurementStatus{
			Conditions: []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: metav1.ConditionTrue}},
			Attempt:    1, Valid: true,
			Result:    &v1beta1.Result{Operations: 99, Errors: 1},
			StorePods: []v1beta1.StorePod{{Name: "store-0", UID: "s"}},
			Parts:     []v1beta1.Part{{Attempt: 1, State: v1beta1.PartDone, Pod: name + "-a1-0-x", FirstIntervalAt: &begun, LastIntervalAt: &ended}},
		},
	}
}

func asItShouldBe() *scene {
	s := &scene{run: Run{
		Experiment: &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "run"}, Status: v1beta1.ExperimentStatus{
			Conditions: []metav1.Condition{{Type: v1beta1.ConditionComplete, Status: metav1.ConditionTrue}}, Planned: 2, Finished: 2,
		}},
		Planned:      []string{first, second},
		Measurements: []v1beta1.Measurement{measurement(first), measurement(second)},
	}}
	for i := range s.run.Measurements {
		s.run.Rows = append(s.run.Rows, results.FromMeasurement(&s.run.Measurements[i]))
	}
	return s
}

func (s *scene) of(name string) *v1beta1.Measurement {
	return &s.run.Measurements[slices.IndexFunc(s.run.Measurements, func(m v1beta1.Measurement) bool { return m.Name == name })]
}

// hit of a pod from the one second after noon to the other.
func (s *scene) hit(kind schedule.Kind, pod Pod, before, after time.Duration) {
	s.hits = append(s.hits, Hit{Number: 7, Kind: kind, Pods: []Pod{pod}, Before: noon.Add(before), After: noon.Add(after)})
}

func TestBooksBalance(t *testing.T) {
	store, load := Pod{Name: "store-0", UID: "s"}, Pod{Name: first + "-a1-0-x", UID: "l"}
	for name, change := range map[string]func(*scene){
		"undisturbed":                 func(*scene) {},
		"a store pod before the load": func(s *scene) { s.hit(schedule.StorePod, store, 0, 500*time.Millisecond) },
		"a store pod after the load":  func(s *scene) { s.hit(schedule.StorePod, store, 9*time.Second, 11*time.Second) },
		"a store pod of another life": func(s *scene) {
			s.hit(schedule.StorePod, Pod{Name: "store-0", UID: "other"}, 2*time.Second, 3*time.Second)
		},
		"a load pod that had ended its load": func(s *scene) { s.hit(schedule.LoadPod, load, 10*time.Second, 11*time.Second) },
		"a load pod of an attempt that was repeated": func(s *scene) {
			s.hit(schedule.LoadPod, load, 2*time.Second, 3*time.Second)
			m := s.of(first)
			m.Status.Attempt, m.Status.Failures = 2, []v1beta1.AttemptFailure{{Attempt: 1}}
			m.Status.Parts[0].Attempt, m.Status.Parts[0].Pod = 2, first+"-a2-0-y"
		},
		"a store pod whose measurement is invalid": func(s *scene) {
			s.hit(schedule.StorePod, store, 2*time.Second, 3*time.Second)
			for _, name := range []string{first, second} {
				s.of(name).Status.Valid, s.of(name).Status.InvalidReasons = false, []string{"store restart"}
			}
			s.run.Rows[0].Valid, s.run.Rows[1].Valid = false, false
			s.run.Experiment.Status.Invalid = 2
		},
		"a daemon that measurements do not hang on": func(s *scene) { s.hit(schedule.Kubelet, Pod{}, 2*time.Second, 3*time.Second) },
		"a store pod whose end was not seen":        func(s *scene) { s.hit(schedule.StorePod, store, 2*time.Second, 0); s.hits[0].After = time.Time{} },
	} {
		t.Run(name, func(t *testing.T) {
			s := asItShouldBe()
			change(s)
			assert.Empty(t, Balance([]Run{s.run}, s.hits))
		})
	}
}

func TestEachKindOfDiscrepancyIsFound(t *testing.T) {
	store, load := Pod{Name: "store-0", UID: "s"}, Pod{Name: first + "-a1-0-x", UID: "l"}
	for _, test := range []struct {
		name   string
		change func(*scene)
		says   string
	}{
		{"a run that failed", func(s *scene) {
			s.run.Experiment.Status.Conditions = []metav1.Condition{{Type: v1beta1.ConditionFailed, Status: metav1.ConditionTrue, Reason: "StoreLost", Message: "gone"}}
		}, "run: the run failed: StoreLost: gone"},
		{"a run that did not end", func(s *scene) { s.run.Experiment.Status.Conditions = nil }, "run: the run is not complete"},
		{"a store that is recorded", func(s *scene) { s.run.Experiment.Status.Store = &v1beta1.StoreStatus{Release: "inline-r1"} }, "run: store inline-r1 is still recorded"},
		{"a count that is wrong", func(s *scene) { s.run.Experiment.Status.Invalid = 1 }, "its status counts 2 planned, 2 finished, 1 invalid; there are 2, 2, 0"},
		{"a lost measurement", func(s *scene) { s.run.Measurements = s.run.Measurements[:1]; s.run.Experiment.Status.Finished = 1 }, second + ": planned once and there 0 times"},
		{"a doubled measurement", func(s *scene) {
			s.run.Measurements = append(s.run.Measurements, measurement(first))
			s.run.Experiment.Status.Finished = 3
		}, first + ": planned once and there 2 times"},
		{"a measurement that nobody planned", func(s *scene) {
			s.run.Measurements = append(s.run.Measurements, measurement("other"))
			s.run.Experiment.Status.Finished = 3
		}, "other: nobody planned it"},
		{"a measurement that is not finished", func(s *scene) { s.of(first).Status.Conditions = nil; s.run.Experiment.Status.Finished = 1 }, first + ": it is not finished"},
		{"a row that is missing", func(s *scene) { s.run.Rows = s.run.Rows[1:] }, first + ": the CSV has 0 rows of it"},
		{"a row that is doubled", func(s *scene) { s.run.Rows = append(s.run.Rows, s.run.Rows[0]) }, first + ": the CSV has 2 rows of it"},
		{"a row that nobody planned", func(s *scene) { s.run.Rows = append(s.run.Rows, results.Row{Measurement: "other"}) }, "other: the CSV has a row that nobody planned"},
		{"operations that differ", func(s *scene) { s.run.Rows[0].Ops = results.Some(int64(98)) }, first + ": 98 operations and 1 errors in the CSV, 99 and 1 in the cluster"},
		{"validity that differs", func(s *scene) { s.run.Rows[0].Valid = false }, first + ": valid is false in the CSV and true in the cluster"},
		{"operations that were lost", func(s *scene) {
			s.of(first).Status.Result = &v1beta1.Result{Operations: 90}
			s.run.Rows[0].Ops, s.run.Rows[0].Errors = results.Some(int64(90)), results.Some(int64(0))
		}, first + ": it is valid with 90 of 100 operations"},
		{"a result that is missing", func(s *scene) { s.of(first).Status.Result = nil }, first + ": it is valid and has no result"},
		{"a reason that is missing", func(s *scene) {
			s.of(first).Status.Valid, s.run.Rows[0].Valid, s.run.Experiment.Status.Invalid = false, false, 1
		}, first + ": it is invalid and no reason is given"},
		{"an attempt that nobody tells of", func(s *scene) { s.of(first).Status.Attempt = 2; s.of(first).Status.Parts[0].Attempt = 2 }, first + ": it is at attempt 2 and tells of 0 that failed"},
		{"a part of an earlier attempt", func(s *scene) {
			s.of(first).Status.Attempt, s.of(first).Status.Failures = 2, []v1beta1.AttemptFailure{{Attempt: 1}}
		}, first + ": it is valid at attempt 2 with a part of attempt 1"},
		{"a part that is not done", func(s *scene) { s.of(first).Status.Parts[0].State = v1beta1.PartRunning }, first + ": it is valid and its load pod " + load.Name + " is Running"},
		{"a part that is missing", func(s *scene) { s.of(first).Spec.Pods = 2 }, first + ": it is valid with 1 of 2 load pods"},
		{"a store pod that was hit under load", func(s *scene) { s.hit(schedule.StorePod, store, 2*time.Second, 3*time.Second) },
			first + ": it is valid though store pod store-0 was hit meanwhile (kill 7, store pod)"},
		{"a node that took a store pod along", func(s *scene) { s.hit(schedule.Node, store, 2*time.Second, 3*time.Second) },
			second + ": it is valid though store pod store-0 was hit meanwhile (kill 7, node)"},
		{"a load pod that was hit under load", func(s *scene) { s.hit(schedule.LoadPod, load, 2*time.Second, 3*time.Second) },
			first + ": it is valid though load pod " + load.Name + " of this attempt was hit (kill 7, load pod)"},
		{"a load pod that was hit before its start", func(s *scene) { s.hit(schedule.LoadPod, load, 0, 500*time.Millisecond) },
			first + ": it is valid though load pod " + load.Name + " of this attempt was hit (kill 7, load pod)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := asItShouldBe()
			test.change(s)
			var lines string
			found := Balance([]Run{s.run}, s.hits)
			for _, discrepancy := range found {
				lines += discrepancy.String() + "\n"
			}
			require.NotEmpty(t, found)
			assert.Contains(t, lines, test.says)
		})
	}
}
