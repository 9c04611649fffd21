// Package evaluate sends every query of every dashboard to a real Prometheus, as Grafana does for a selected run, and
// reports the queries that fail or return nothing. It does not use Grafana; it replaces variables in queries itself.
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

// Dashboard has the parts of a dashboard's JSON that determine its queries.
type Dashboard struct {
	File  string
	Title string
	// Tags include the stores that the dashboard is for.
	Tags       []string
	Templating struct{ List []Variable }
	Panels     []Panel
	// Annotations are drawn over the panels.
	Annotations struct{ List []Annotation }
}

// Variable is a variable of a dashboard.
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

// Panel is a panel of a dashboard. Rows are panels without targets.
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

// Annotation is a query whose result is drawn over the panels.
type Annotation struct {
	Name string
	Expr string
	Step string
}

// Load reads the dashboards in a folder, sorted by file name.
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

// Query is a query of a dashboard before its variables are replaced.
type Query struct {
	Panel   string
	RefID   string
	Expr    string
	Instant bool
	// Step is the shortest step of the panel; 0 means that of the data source.
	Step time.Duration
	// Repeat names the variable for whose values the query is repeated.
	Repeat string
	// Optional marks a query whose result may be empty, such as that of an annotation.
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

// rowType is the type of rows. The panels that follow a row in the list belong to it.
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
