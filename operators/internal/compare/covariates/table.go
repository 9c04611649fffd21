package covariates

import (
	"strconv"

	"ringside.dev/ringside/operators/internal/textfmt"
)

// Table returns the findings as a table. CV is the change of the mean squared error in cross-validation.
func Table(findings []Finding) *textfmt.Table {
	table := &textfmt.Table{Columns: []textfmt.Column{
		{Title: "LOAD", Name: "load"}, {Title: "SERVER", Name: "server"}, {Title: "METRIC", Name: "metric"}, {Title: "COVARIATE", Name: "covariate"},
		{Title: "ROUNDS", Name: "rounds", Right: true}, {Title: "R2", Name: "rounds_r2", Right: true}, {Title: "SLOPE", Name: "rounds_slope"},
		{Title: "CV", Name: "rounds_cv", Right: true}, {Title: "WINDOWS", Name: "windows", Right: true}, {Title: "R2", Name: "windows_r2", Right: true},
		{Title: "SLOPE", Name: "windows_slope"}, {Title: "CV", Name: "windows_cv", Right: true},
	}}
	for _, f := range findings {
		cells := []string{f.Load, f.Server, f.Metric, f.Covariate}
		for _, part := range []Part{f.Rounds, f.Windows} {
			if !part.Known {
				cells = append(cells, strconv.Itoa(part.Logs), "", "", "")
				continue
			}
			slope := "+"
			if part.Slope < 0 {
				slope = "-"
			}
			cells = append(cells, strconv.Itoa(part.Logs), textfmt.Percent(part.InSample, 0), slope, textfmt.Percent(-part.CrossValidated, 0))
		}
		table.Add(textfmt.Plain, cells...)
	}
	return table
}
