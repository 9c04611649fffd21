package history

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ringside.dev/ringside/operators/metrics"
)

// OpenMetrics is the format that promtool imports into a Prometheus.
const OpenMetrics = "openmetrics"

// escaped is how OpenMetrics writes the value of a label.
var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// WriteOpenMetrics writes series with the times of their samples.
func WriteOpenMetrics(w io.Writer, all []MetricSeries) error {
	b := bufio.NewWriter(w)
	for _, family := range metrics.History() { // all samples of a metric in one place, as the format demands
		described := false
		for i := range all {
			s := &all[i]
			if s.Metric != family.Name {
				continue
			}
			if !described {
				fmt.Fprintf(b, "# TYPE %s gauge\n# HELP %s %s\n", family.Name, family.Name, family.Help)
				described = true
			}
			var labels []string
			for _, name := range slices.Sorted(maps.Keys(s.Labels)) {
				labels = append(labels, name+`="`+escaped.Replace(s.Labels[name])+`"`)
			}
			for _, sample := range s.Samples {
				fmt.Fprintf(b, "%s{%s} %s %s\n", s.Metric, strings.Join(labels, ","),
					strconv.FormatFloat(sample.Value, 'g', -1, 64), strconv.FormatFloat(seconds(sample.At), 'f', -1, 64))
			}
		}
	}
	fmt.Fprintln(b, "# EOF")
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing the history: %w", err)
	}
	return nil
}
