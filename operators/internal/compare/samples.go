package compare

import (
	"fmt"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/ratio"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Sample holds what is known so far of one server compared with the baseline, by the primary metric of one load.
type Sample struct {
	// Server and Load identify the sample in the decision. Phase is that of the load: a sweep has several loads.
	Server, Load, Phase string
	// Rounds are the log ratios, or the differences, of the rounds that both servers have, and the number of lost rounds.
	Rounds ratio.Sample
	// Method is the method that the comparison uses for the metric.
	Method ratio.Method
	// AA marks an A/A arm: its interval is not corrected, but must be as narrow.
	AA bool
}

// Samples returns the log ratios, or the differences, of the primary metric so far, for each server and load, in a run that decides its own length. They are
// those of Within. A server without any figure is left out.
func Samples(run *archive.Run) ([]Sample, error) {
	result, err := Within(run, Defaults())
	if err != nil {
		return nil, err
	}
	var samples []Sample
	for i := range result.Comparisons {
		if c := &result.Comparisons[i]; c.Primary && c.measured {
			samples = append(samples, Sample{Server: c.Server, Load: c.Cell.String(), Phase: c.Cell.Phase, Rounds: c.sample, Method: c.Metric.method(), AA: c.AA})
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
