package scale

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// row is a row of the table: its title, and its text for each size.
type row struct {
	name string
	tell func(*Figures) string
}

var rows = []row{
	{"operator: memory", func(f *Figures) string { return mebibytes(f.Resident) }},
	{"operator: memory at most", func(f *Figures) string { return mebibytes(f.Peak) }},
	{"operator: heap", func(f *Figures) string { return mebibytes(f.Heap) }},
	{"operator: CPU per measurement", func(f *Figures) string { return rounded(f.CPU) }},
	{"operator: CPU at rest", func(f *Figures) string { return fmt.Sprintf("%.1f%%", 100*f.Idle) }},
	{"reconcile: median", func(f *Figures) string { return rounded(f.Median) }},
	{"reconcile: 99th percentile", func(f *Figures) string { return rounded(f.P99) }},
	{"a measurement, all told", func(f *Figures) string { return rounded(f.Each) }},
	{"- until its Job is created", func(f *Figures) string { return rounded(f.Division.Job) }},
	{"- until all load pods are ready", func(f *Figures) string { return rounded(f.Division.Ready) }},
	{"- until the start is announced", func(f *Figures) string { return rounded(f.Division.Announced) }},
	{"- until all have delivered", func(f *Figures) string { return rounded(f.Division.Delivered) }},
	{"- until the result is written", func(f *Figures) string { return rounded(f.Division.Collected) }},
	{"- until the next one is created", func(f *Figures) string { return rounded(f.Division.Next) }},
	{"deletion of the load pods' reports", func(f *Figures) string { return rounded(f.Division.Deletion) }},
	{"scrape", func(f *Figures) string { return rounded(f.Scrape) }},
	{"scrape: size", func(f *Figures) string { return kibibytes(f.ScrapeBytes) }},
	{"the Experiment", func(f *Figures) string { return kibibytes(int64(f.ExperimentBytes)) }},
	{"a Measurement", func(f *Figures) string { return kibibytes(int64(f.MeasurementBytes)) }},
	{"export", func(f *Figures) string { return rounded(f.Export) }},
	{"export: memory at most", func(f *Figures) string { return mebibytes(f.ExportPeak) }},
	{"export: measurements.csv", func(f *Figures) string { return kibibytes(f.CSVBytes) }},
	{"report", func(f *Figures) string { return rounded(f.Report) }},
	{"report: memory at most", func(f *Figures) string { return mebibytes(f.ReportPeak) }},
	{"report: report.html", func(f *Figures) string { return kibibytes(f.ReportBytes) }},
}

// WriteTable writes a Markdown table with a column per size.
func WriteTable(out io.Writer, all []*Figures) error {
	var text strings.Builder
	line := func(name string, tell func(*Figures) string) {
		fmt.Fprintf(&text, "| %s |", name)
		for _, f := range all {
			fmt.Fprintf(&text, " %s |", tell(f))
		}
		text.WriteString("\n")
	}
	line("nodes", func(f *Figures) string { return fmt.Sprint(f.Size.Nodes) })
	text.WriteString("|---|" + strings.Repeat("---|", len(all)) + "\n")
	line("store nodes", func(f *Figures) string { return fmt.Sprint(f.Size.Store) })
	line("load pods", func(f *Figures) string { return fmt.Sprint(f.Size.Pods) })
	line("measurements of the run", func(f *Figures) string { return fmt.Sprint(f.Size.Measurements()) })
	line("of earlier runs", func(f *Figures) string { return fmt.Sprint(f.Size.History) })
	for _, row := range rows {
		line(row.name, row.tell)
	}
	line("calls per measurement", func(f *Figures) string {
		sum := 0.0
		for _, n := range f.Calls {
			sum += n
		}
		return fmt.Sprintf("%.1f", sum)
	})
	for _, what := range kinds(all) {
		line("calls: "+what, func(f *Figures) string { return fmt.Sprintf("%.1f", f.Calls[what]) })
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func mebibytes(n int64) string { return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20)) }

func kibibytes(n int64) string { return fmt.Sprintf("%.0f KiB", float64(n)/(1<<10)) }

// rounded returns a duration with at most three digits.
func rounded(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}

func sizeOf(object any) (int, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return 0, fmt.Errorf("see how large it is: %w", err)
	}
	return len(text), nil
}
