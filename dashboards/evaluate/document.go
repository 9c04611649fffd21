// Package evaluate sends every query of every dashboard to a real Prometheus, as Grafana does for a selected run, and reports which
// fail or come back empty. Grafana itself has no part in it: what it adds to a query is done here.
package evaluate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/prometheus/common/model"
)

// Dashboard is as much of a dashboard's JSON as decides what is asked.
type Dashboard struct {
	File  string
	Title string
	// Tags name, among other things, the stores that it is for.
	Tags       []string
	Templating struct{ List []Variable }
	Panels     []Panel
	// Annotations are drawn over the panels.
	Annotations struct{ List []Annotation }
}

// Variable is one choice on a dashboard's top.
type Variable struct {
	Name       string
	Type       string // query or datasource
	Query      any    // a string, for query variables
	Multi      bool
	IncludeAll bool
	AllValue   string
	Sort       int
	Regex      string
	Current    struct{ Value any }
}

// Panel of a dashboard. Rows are panels without targets.
type Panel struct {
	Title    string
	Type     string
	Interval string
	Repeat   string // name of a variable: one panel, or row of panels, per value
	Targets  []Target
	Panels   []Panel // of a collapsed row
}

// Target is one query of a panel.
type Target struct {
	RefID    string
	Expr     string
	Instant  bool
	Interval string
}

// Annotation is a query whose answer is drawn over the panels.
type Annotation struct {
	Name string
	Expr string
	Step string
}

// Load reads the dashboards of a folder, in the order of their files' names.
func Load(folder string) ([]Dashboard, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no dashboards in %s: generate them with go generate ./dashboards", folder)
	}
	dashboards := make([]Dashboard, len(paths))
	for i, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if dashboards[i], err = Parse(filepath.Base(path), content); err != nil {
			return nil, err
		}
	}
	return dashboards, nil
}

// Parse reads one dashboard.
func Parse(file string, content []byte) (Dashboard, error) {
	d := Dashboard{File: file}
	if err := json.Unmarshal(content, &d); err != nil {
		return Dashboard{}, fmt.Errorf("read dashboard %s: %w", file, err)
	}
	return d, nil
}

// Query is one query of a dashboard, with its variables still in it.
type Query struct {
	Panel   string
	RefID   string
	Expr    string
	Instant bool
	// Step is the shortest one that the panel asks for; 0 is the data source's.
	Step time.Duration
	// Repeat names the variable for each of whose values the query is asked.
	Repeat string
	// Optional marks a query whose result may be empty: there may be nothing to shade.
	Optional bool
}

// Queries returns every query of a dashboard, annotations last.
func (d Dashboard) Queries() ([]Query, error) {
	queries, err := queriesOf(d.Panels)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.File, err)
	}
	for _, annotation := range d.Annotations.List {
		step, err := parseStep(annotation.Step)
		if err != nil {
			return nil, fmt.Errorf("%s: annotation %q: %w", d.File, annotation.Name, err)
		}
		queries = append(queries, Query{Panel: annotation.Name + " (annotation)", Expr: annotation.Expr, Step: step, Optional: true})
	}
	return queries, nil
}

// rowType of panels: those that follow one in the list are in it.
const rowType = "row"

func queriesOf(panels []Panel) ([]Query, error) {
	var queries []Query
	row := ""
	for _, panel := range panels {
		if panel.Type == rowType {
			row = panel.Repeat
		} else if panel.Repeat == "" {
			panel.Repeat = row
		} else if row != "" {
			return nil, fmt.Errorf("panel %q repeats by %s in a row that repeats by %s: one of them is enough", panel.Title, panel.Repeat, row)
		}
		for _, target := range panel.Targets {
			step, err := parseStep(cmp.Or(target.Interval, panel.Interval))
			if err != nil {
				return nil, fmt.Errorf("panel %q: %w", panel.Title, err)
			}
			queries = append(queries, Query{
				Panel: panel.Title, RefID: target.RefID, Expr: target.Expr, Instant: target.Instant, Step: step, Repeat: panel.Repeat,
			})
		}
		within, err := queriesOf(panel.Panels)
		if err != nil {
			return nil, err
		}
		queries = append(queries, within...)
	}
	return queries, nil
}

func parseStep(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	step, err := model.ParseDuration(s)
	return time.Duration(step), err
}
