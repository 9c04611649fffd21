package evaluate

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"text/tabwriter"

	"github.com/prometheus/common/model"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/metrics"
)

// Agreement compares the figures that Prometheus collected of a measurement with those of the measurement itself. Both
// come from the same load tool's log, by different paths.
type Agreement struct {
	Measurement string
	Figures     []Figure
}

// Figure is a number as measured and as collected by Prometheus.
type Figure struct {
	Name                 string
	Measured, Prometheus float64
	// Tolerance is relative. It covers rounding, and the width of a histogram's buckets.
	Tolerance float64
}

// Agrees reports whether the numbers are equal within the tolerance.
func (f Figure) Agrees() bool {
	return math.Abs(f.Measured-f.Prometheus) <= f.Tolerance*math.Abs(f.Measured)
}

const (
	// A rate is written with one decimal.
	rateTolerance = 0.001
	// Native histograms of schema 4 have buckets 4.4% wide. At the highest ranks there are few operations, so the
	// nearest rank and an interpolated one may be in adjacent buckets.
	latencyTolerance = 0.09
)

// Agree compares finished measurements with the data of Prometheus in the time range. It skips measurements with more
// than one attempt, because Prometheus has also collected the figures of the lost load pods.
func Agree(ctx context.Context, prometheus Prometheus, measurements []v1alpha1.Measurement, times Times) ([]Agreement, error) {
	var agreements []Agreement
	for _, measurement := range measurements {
		if measurement.Status.Result == nil || measurement.Status.Attempt > 1 {
			continue
		}
		agreement, err := agree(ctx, prometheus, measurement, times)
		if err != nil {
			return nil, fmt.Errorf("measurement %s: %w", measurement.Name, err)
		}
		agreements = append(agreements, agreement)
	}
	return agreements, nil
}

func agree(ctx context.Context, prometheus Prometheus, measurement v1alpha1.Measurement, times Times) (Agreement, error) {
	spec, result := measurement.Spec, measurement.Status.Result
	cell := fmt.Sprintf(`%s=%q, %s=%q, %s=%q, %s=%q, %s="%d", %s="%d"`,
		metrics.LabelExperiment, spec.Experiment, metrics.LabelRun, spec.Run, metrics.LabelServer, spec.Server,
		metrics.LabelPhase, spec.Phase, metrics.LabelRound, spec.Round, metrics.LabelRepeat, spec.Repeat)
	overTime := func(function, metric, more string) string {
		return fmt.Sprintf("%s(%s{%s%s}[%s])", function, metric, cell, more, duration(times.To.Sub(times.From)))
	}
	operations := "sum(" + overTime("max_over_time", metrics.LoadOperations, "") + ")"
	agreement := Agreement{Measurement: measurement.Name}
	add := func(name string, measured float64, query string, tolerance float64) error {
		found, err := number(ctx, prometheus, query, times)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		agreement.Figures = append(agreement.Figures, Figure{name, measured, found, tolerance})
		return nil
	}
	if err := add("ops", float64(result.Operations), operations, 0); err != nil {
		return agreement, err
	}
	opRate, err := strconv.ParseFloat(string(result.OpRate), 64)
	if err != nil {
		return agreement, err
	}
	active := "max(" + overTime("max_over_time", metrics.LoadActiveSeconds, "") + ")"
	if err := add("op rate", opRate, operations+" / "+active, rateTolerance); err != nil {
		return agreement, err
	}
	for _, latency := range result.Latencies {
		histogram := "sum(" + overTime("last_over_time", metrics.LoadLatency, fmt.Sprintf(", %s=%q", metrics.LabelKind, latency.Kind)) + ")"
		p95, err := strconv.ParseFloat(string(latency.P95Millis), 64)
		if err != nil {
			return agreement, err
		}
		query := "1000 * histogram_quantile(0.95, " + histogram + ")"
		if err := add(fmt.Sprintf("95th %s ms", latency.Kind), p95, query, latencyTolerance); err != nil {
			return agreement, err
		}
	}
	return agreement, nil
}

func number(ctx context.Context, prometheus Prometheus, query string, times Times) (float64, error) {
	value, _, _, err := prometheus.Query(ctx, query, times.To)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", query, err)
	}
	vector, ok := value.(model.Vector)
	if !ok || len(vector) != 1 {
		return 0, fmt.Errorf("%s: %w", query, ErrEmpty)
	}
	return float64(vector[0].Value), nil
}

// PrintAgreements writes a line per figure, and returns an error if any differs.
func PrintAgreements(w io.Writer, agreements []Agreement) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MEASUREMENT\tFIGURE\tMEASURED\tPROMETHEUS\tAGREE")
	var differ int
	for _, agreement := range agreements {
		for _, figure := range agreement.Figures {
			said := "yes"
			if !figure.Agrees() {
				said = "NO"
				differ++
			}
			fmt.Fprintf(table, "%s\t%s\t%.1f\t%.1f\t%s\n", agreement.Measurement, figure.Name, figure.Measured, figure.Prometheus, said)
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if len(agreements) == 0 {
		return fmt.Errorf("no finished measurement to compare with Prometheus")
	}
	if differ > 0 {
		return fmt.Errorf("%d figures of Prometheus differ from the measurements", differ)
	}
	return nil
}
