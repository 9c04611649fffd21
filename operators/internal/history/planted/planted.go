// Package planted writes archives of runs in which one server becomes slower at a known run. Only tests import it.
package planted

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// Experiment is the name of the planted experiment.
const Experiment = "nightly"

// Plan describes the runs, one a night. Their machine is up to half as fast again from night to night, for all servers alike.
type Plan struct {
	Runs int
	Seed uint64
	// Slow is the number of the first run, from 1 on, in which disruptor is slower; 0 for none. Share is by how much, as in 0.05.
	Slow  int
	Share float64
	// Name returns another identifier than the time of a run, from 1 on; nil for none.
	Name func(run int) string
	// Edit changes the experiment of a run, first without a measurement and then with each of its measurements; nil for no change.
	Edit func(run int, e *v1beta1.Experiment, m *v1beta1.Measurement)
}

// Run returns the identifier of a run, from 1 on.
func Run(run int) string {
	return timeOf(run).Format(v1beta1.RunIDLayout)
}

func timeOf(run int) time.Time {
	return time.Date(2026, 10, 31, 1, 0, 0, 0, time.UTC).AddDate(0, 0, run)
}

func (p Plan) id(run int) string {
	if p.Name != nil {
		return p.Name(run)
	}
	return Run(run)
}

// noise is the standard deviation of a server's figures within a night.
const noise = 0.01

// Servers are those of the planted runs; hsha is the baseline.
func Servers() []v1beta1.ServerSpec {
	var servers []v1beta1.ServerSpec
	for _, name := range []string{"hsha", "disruptor", "xedin"} {
		servers = append(servers, v1beta1.ServerSpec{Name: name, Type: name})
	}
	return servers
}

// Write writes the archives to a place, and returns their folders. All are the same simulated run with other figures.
func Write(place string, p Plan) ([]archive.Folder, error) {
	rng := rand.New(rand.NewPCG(p.Seed, 5))
	like, err := simulate()
	if err != nil {
		return nil, err
	}
	var folders []archive.Folder
	for run := 1; run <= p.Runs; run++ {
		folder, err := archive.NewFolder(place, Experiment, p.id(run))
		if err != nil {
			return folders, err
		}
		folders = append(folders, folder)
		if err := p.write(folder, run, like, rng); err != nil {
			return folders, err
		}
	}
	return folders, nil
}

// Runs writes the archives to a place, and returns the runs as they are read.
func Runs(place string, p Plan) ([]*archive.Run, error) {
	folders, err := Write(place, p)
	if err != nil {
		return nil, err
	}
	var runs []*archive.Run
	for _, folder := range folders {
		run, err := archive.Read(folder.Path)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

func experiment(run string) *v1beta1.Experiment {
	operations := int64(60)
	return simulated.Experiment(Experiment, run, Servers(), 3, 0, v1beta1.PhaseSpec{Name: "read", Repeats: 1, Threads: 4, Operations: &operations})
}

// simulate returns the measurements of one run.
func simulate() ([]*v1beta1.Measurement, error) {
	e := experiment(Run(1))
	var measurements []*v1beta1.Measurement
	for _, cell := range plan.Build(e, *e.Status.Seed).Cells() {
		m := simulated.Measurement(e, cell)
		if _, err := simulated.Finish(m, e.Status.FinishedAt.Time); err != nil {
			return nil, err
		}
		measurements = append(measurements, m)
	}
	return measurements, nil
}

// write writes one run with its own figures.
func (p Plan) write(folder archive.Folder, run int, like []*v1beta1.Measurement, rng *rand.Rand) error {
	e := experiment(p.id(run))
	if p.Edit != nil {
		p.Edit(run, e, nil)
	}
	machine := math.Exp(0.4 * (rng.Float64() - 0.5))
	var rows []results.Row
	for _, m := range like {
		m = m.DeepCopy()
		m.Spec.Run = p.id(run)
		begin(m.Status.Result, run)
		rate := 10_000 * machine * math.Exp(noise*rng.NormFloat64())
		if p.Slow > 0 && run >= p.Slow && m.Spec.Server == "disruptor" {
			rate *= 1 - p.Share
			m.Status.Proof.PluginSHA256 = strings.Repeat("5", 64)
		}
		m.Status.Result.OpRate = v1beta1.Decimal(fmt.Sprintf("%.1f", rate))
		if p.Edit != nil {
			p.Edit(run, e, m)
		}
		if err := folder.WriteMeasurement(m); err != nil {
			return err
		}
		rows = append(rows, results.FromMeasurement(m))
	}
	if err := errors.Join(folder.WriteRows(rows), folder.WriteExperiment(e)); err != nil {
		return err
	}
	return seal(folder.Path)
}

// begin moves a measurement to the time of a run.
func begin(result *v1beta1.Result, run int) {
	took := result.FinishedAt.Sub(result.StartedAt.Time)
	result.StartedAt.Time = timeOf(run)
	result.FinishedAt.Time = result.StartedAt.Add(took)
}

// seal writes the digests of a folder, without waiting for the disk as WriteDigests does for each file.
func seal(folder string) error {
	var digests strings.Builder
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		fmt.Fprintf(&digests, "%s  %s\n", archive.Sum(text), name)
		return err
	})
	if err != nil {
		return fmt.Errorf("digesting %s: %w", folder, err)
	}
	return archive.WriteFile(filepath.Join(folder, archive.DigestsFile), []byte(digests.String()))
}
