package compare

import (
	"fmt"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/results"
)

// Operations returns the operations that the load of the groups mixes, by their names in the logs; empty if the load has one operation.
func Operations(run *archive.Run, groups []Group) []string {
	var names []string
	for _, g := range groups {
		for _, row := range g.Rows {
			m := run.Measurements[row.Measurement]
			if m == nil || m.Status.Result == nil {
				continue
			}
			for _, figures := range m.Status.Result.ByOperation {
				if !slices.Contains(names, figures.Operation) {
					names = append(names, figures.Operation)
				}
			}
		}
	}
	slices.Sort(names)
	return names
}

// MergedOf returns the merged histogram of one operation over several rows.
func MergedOf(run *archive.Run, rows []*results.Row, operation string) (*hdrhistogram.PackedHistogram, error) {
	var histograms []*hdrhistogram.PackedHistogram
	for _, row := range rows {
		m := run.Measurements[row.Measurement]
		if m == nil || m.Status.Result == nil {
			return nil, fmt.Errorf("%s has no manifest with a histogram", row.Measurement)
		}
		for _, figures := range m.Status.Result.ByOperation {
			if figures.Operation != operation {
				continue
			}
			histogram, err := measure.DecodeHistogram(figures.Latency.Histogram)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", row.Measurement, err)
			}
			histograms = append(histograms, histogram)
		}
	}
	return measure.Combine(histograms...)
}
