// Package books holds what a soak's runs gave against what was planned and against what the driver knows that it hit: no measurement
// lost, doubled, or valid that should not be. It is pure.
package books

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/soak/schedule"
)

// Pod that died with what was hit.
type Pod struct {
	Name string `json:"name"`
	UID  string `json:"uid"`
}

// Hit is one line of the driver's log.
type Hit struct {
	Number int           `json:"number"`
	Kind   schedule.Kind `json:"kind"`
	Target string        `json:"target"`
	// Pods whose processes ended.
	Pods []Pod `json:"pods,omitempty"`
	// All that was hit lived at Before and was dead at After; After is zero where the driver did not see the end.
	Before time.Time `json:"before"`
	After  time.Time `json:"after,omitzero"`
}

// Run is what is known of one run once it has ended, before it is removed.
type Run struct {
	Experiment *v1beta1.Experiment
	// Planned are the names of the measurements that spec and seed ask for.
	Planned      []string
	Measurements []v1beta1.Measurement
	// Rows of the exported CSV.
	Rows []results.Row
}

// Discrepancy is one thing that should not be.
type Discrepancy struct {
	Where, What string
}

func (d Discrepancy) String() string { return d.Where + ": " + d.What }

// Balance names all that should not be.
func Balance(runs []Run, hits []Hit) []Discrepancy {
	var found []Discrepancy
	for _, run := range runs {
		found = append(found, checkRun(run)...)
		found = append(found, checkNames(run)...)
		found = append(found, checkRows(run)...)
		for i := range run.Measurements {
			found = append(found, checkMeasurement(&run.Measurements[i], hits)...)
		}
	}
	return found
}

func discrepancy(where, format string, args ...any) Discrepancy {
	return Discrepancy{Where: where, What: fmt.Sprintf(format, args...)}
}

// checkRun: it ended, and counts what is there.
func checkRun(run Run) []Discrepancy {
	var found []Discrepancy
	e := run.Experiment
	if failed := meta.FindStatusCondition(e.Status.Conditions, v1beta1.ConditionFailed); failed != nil && failed.Status == "True" {
		found = append(found, discrepancy(e.Name, "the run failed: %s: %s", failed.Reason, failed.Message))
	} else if !meta.IsStatusConditionTrue(e.Status.Conditions, v1beta1.ConditionComplete) {
		found = append(found, discrepancy(e.Name, "the run is not complete"))
	}
	if e.Status.Store != nil {
		found = append(found, discrepancy(e.Name, "store %s is still recorded", e.Status.Store.Release))
	}
	done, invalid := 0, 0
	for i := range run.Measurements {
		if m := &run.Measurements[i]; m.Finished() {
			done++
			if !m.Status.Valid {
				invalid++
			}
		}
	}
	if int(e.Status.Finished) != done || int(e.Status.Invalid) != invalid || int(e.Status.Planned) != len(run.Planned) {
		found = append(found, discrepancy(e.Name, "its status counts %d planned, %d finished, %d invalid; there are %d, %d, %d",
			e.Status.Planned, e.Status.Finished, e.Status.Invalid, len(run.Planned), done, invalid))
	}
	return found
}

// checkNames: each planned measurement is there once and finished, and no other.
func checkNames(run Run) []Discrepancy {
	var found []Discrepancy
	times := map[string]int{}
	for i := range run.Measurements {
		m := &run.Measurements[i]
		times[m.Name]++
		if !slices.Contains(run.Planned, m.Name) {
			found = append(found, discrepancy(m.Name, "nobody planned it"))
		}
		if !m.Finished() {
			found = append(found, discrepancy(m.Name, "it is not finished"))
		}
	}
	for _, name := range run.Planned {
		if n := times[name]; n != 1 {
			found = append(found, discrepancy(name, "planned once and there %d times", n))
		}
	}
	return found
}

// checkRows: the CSV says what the Measurements say.
func checkRows(run Run) []Discrepancy {
	var found []Discrepancy
	rows := map[string][]results.Row{}
	for _, row := range run.Rows {
		rows[row.Measurement] = append(rows[row.Measurement], row)
		if !slices.Contains(run.Planned, row.Measurement) {
			found = append(found, discrepancy(row.Measurement, "the CSV has a row that nobody planned"))
		}
	}
	for i := range run.Measurements {
		m := &run.Measurements[i]
		of := rows[m.Name]
		if len(of) != 1 {
			found = append(found, discrepancy(m.Name, "the CSV has %d rows of it", len(of)))
			continue
		}
		if of[0].Valid != m.Status.Valid {
			found = append(found, discrepancy(m.Name, "valid is %v in the CSV and %v in the cluster", of[0].Valid, m.Status.Valid))
		}
		if m.Status.Result != nil && !m.Spec.Idle && (counted(of[0].Ops) != m.Status.Result.Operations || counted(of[0].Errors) != m.Status.Result.Errors) {
			found = append(found, discrepancy(m.Name, "%d operations and %d errors in the CSV, %d and %d in the cluster",
				counted(of[0].Ops), counted(of[0].Errors), m.Status.Result.Operations, m.Status.Result.Errors))
		}
	}
	return found
}
