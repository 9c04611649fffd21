package compare

import (
	"fmt"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/stop"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Samples returns the log ratios of the primary metric so far, for each server and load, in a run that decides its own length. They are
// those of Within. A server without any is left out.
func Samples(run *archive.Run) ([]stop.Sample, error) {
	result, err := Within(run, Defaults())
	if err != nil {
		return nil, err
	}
	var samples []stop.Sample
	for i := range result.Comparisons {
		if c := &result.Comparisons[i]; c.Primary {
			samples = append(samples, stop.Sample{Server: c.Server, Load: c.Cell.String(), Phase: c.Cell.Phase,
				Logs: c.logs, Rounds: c.Rounds, Method: c.Metric.method(), AA: c.AA})
		}
	}
	return samples, nil
}

// String returns the load's name, unique in its run.
func (cell Cell) String() string {
	load := fmt.Sprintf("%s at %s", cell.Phase, textfmt.Count(cell.Threads, "thread"))
	if cell.Connections > 0 {
		load += fmt.Sprintf(", %s", textfmt.Count(cell.Connections, "connection"))
	}
	if cell.TargetRate > 0 {
		load += fmt.Sprintf(", %d/s", cell.TargetRate)
	}
	return load
}
