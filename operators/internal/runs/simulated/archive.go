package simulated

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs"
)

// Experiment returns an Experiment in the state after its run.
func Experiment(name, run string, servers []v1beta1.ServerSpec, rounds, warmup int32, phases ...v1beta1.PhaseSpec) *v1beta1.Experiment {
	seed := int64(42)
	finished := metav1.NewTime(time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC))
	e := &v1beta1.Experiment{
		ObjectMeta: metav1.ObjectMeta{
			Name: name + "-" + run, Namespace: Namespace, UID: "uid",
			Labels:      map[string]string{v1beta1.LabelExperiment: name, v1beta1.LabelRun: run},
			Annotations: map[string]string{runs.AnnotationCommand: "make experiment EXPERIMENT=" + name},
		},
		Spec: v1beta1.ExperimentSpec{
			Description: "Throughput and latency of a simulated store behind each server",
			Store:       v1beta1.StoreSpec{Chart: "cassandra", Hosting: v1beta1.HostingDedicated},
			Servers:     servers, Load: v1beta1.LoadSpec{Image: "stress", Pods: 1}, Phases: phases, Rounds: rounds, WarmupRounds: warmup,
		},
	}
	e.Status.Seed, e.Status.FinishedAt = &seed, &finished
	e.Status.Planned = int32(len(plan.Build(e, seed).Cells()))
	e.Status.Finished = e.Status.Planned
	return e
}

// Archive writes the run of an experiment into a folder of results. If edit is not nil, it can change each finished measurement before it
// is written.
func Archive(resultsDir string, e *v1beta1.Experiment, edit func(number int, m *v1beta1.Measurement)) (archive.Folder, error) {
	folder, err := archive.NewFolder(resultsDir, e.DocumentName(), e.RunID())
	if err != nil {
		return folder, err
	}
	clock := time.Date(2026, 11, 21, 0, 16, 0, 0, time.UTC)
	var rows []results.Row
	for i, cell := range plan.Build(e, *e.Status.Seed).Cells() {
		m := Measurement(e, cell)
		log, err := Finish(m, clock)
		if err != nil {
			return folder, err
		}
		clock = clock.Add(lasts(m) + 5*time.Second)
		if edit != nil {
			edit(i+1, m)
		}
		if err := writeMeasurement(folder, m, log); err != nil {
			return folder, err
		}
		if err := writeProfile(folder, m); err != nil {
			return folder, err
		}
		rows = append(rows, results.FromMeasurement(m))
	}
	if err := folder.WriteRows(rows); err != nil {
		return folder, err
	}
	return folder, folder.WriteExperiment(e)
}

func writeMeasurement(folder archive.Folder, m *v1beta1.Measurement, log *measure.Log) error {
	if err := folder.WriteMeasurement(m); err != nil {
		return err
	}
	return folder.WriteLog(m.Name, log)
}
