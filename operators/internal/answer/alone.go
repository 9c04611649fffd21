package answer

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare"
	"ringside.dev/ringside/operators/internal/compare/published"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs"
)

// Alone is the answer of a run whose servers were not compared: what each did under each load, and how to compare it with another.
func Alone(run *archive.Run) Answer {
	a := Answer{}
	a.count(run)
	for _, group := range compare.Groups(run) {
		if text := did(run, group); text != "" {
			a.Sentences = append(a.Sentences, Sentence{Text: text})
		}
	}
	a.Limits, a.Warned = []string{"The baseline was not measured: nothing is compared."}, warned(run)
	if servers := compare.Servers(run); len(servers) == 1 {
		a.Limits = []string{"One server was measured: nothing is compared."}
		if e := run.Experiment; e != nil && len(e.Spec.Servers) == 1 && a.Valid == a.Measured && e.Status.Finished >= e.Status.Planned && !meta.IsStatusConditionTrue(e.Status.Conditions, v1beta1.ConditionFailed) {
			a.Next = compareWithAnother(run, servers[0])
		}
	}
	return a
}

// did describes what a server did under a load: read: hsha answers 812 op/s, 95th percentile 3.1 ms; 680 op/s were published.
func did(run *archive.Run, group compare.Group) string {
	in := run.Units()
	var parts []string
	lacks := ""
	for _, metric := range compare.TableMetrics(run.Rows) {
		if err := compare.Lacks(run, group.Server, group.Cell, metric); err != nil {
			lacks = cmp.Or(lacks, err.Error())
			continue
		}
		value, err := compare.Figure(run, group.Rows, metric)
		if err != nil || math.IsNaN(value) {
			continue
		}
		metric = metric.In(in)
		switch text := figure(metric, value, in); {
		case metric.Name == "op_rate" && group.Cell.TargetRate > 0:
		case metric.Name == "op_rate":
			parts = append(parts, "answers "+text)
		case metric.Percentile == 95:
			parts = append(parts, "95th percentile "+text)
		case metric.Percentile == 0:
			parts = append(parts, metric.Title+" "+text)
		}
	}
	switch {
	case len(parts) == 0 && lacks == "":
		return ""
	case len(parts) == 0:
		return fmt.Sprintf("%s: %s", loadOf(run, group.Cell), lacks)
	}
	text := fmt.Sprintf("%s: %s %s", loadOf(run, group.Cell), group.Server, strings.Join(parts, ", "))
	if rate := publishedRate(group.Rows[0]); rate > 0 {
		text += fmt.Sprintf("; published, on other machines: %s %s", threeDigits(rate), in.PerSecond())
	}
	return text
}

// loadOf a run by its name among all.
func loadOf(run *archive.Run, cell compare.Cell) string { return cell.NameAmong(compare.Cells(run)) }

// publishedRate is the mean of the published rates of the row's server; 0 where none was published.
func publishedRate(row *results.Row) float64 {
	sum, n := 0.0, 0
	for _, figure := range published.For(row.Published()) {
		for _, column := range []string{"op_rate", "op_rate_mid80"} {
			if rate, err := strconv.ParseFloat(figure.Columns[column], 64); err == nil {
				sum, n = sum+rate, n+1
				break
			}
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// chosen server in a command.
var chosen = regexp.MustCompile(`\s+(?:SERVER=|--server[= ])('[^']*'|\S*)`)

// compareWithAnother is the command that measures the server of a run together with another; empty where the run keeps no command, or knows no other
// server.
func compareWithAnother(run *archive.Run, server string) string {
	command, other := run.Experiment.Annotations[runs.AnnotationCommand], run.Experiment.Annotations[runs.AnnotationOtherServer]
	pair := "SERVER=" + server + "," + other
	switch {
	case command == "" || other == "":
		return ""
	case !strings.HasPrefix(command, "make "):
		pair = "--server " + server + "," + other
	}
	return "To compare it with another server: " + chosen.ReplaceAllString(command, "") + " " + pair
}
