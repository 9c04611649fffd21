package evaluate

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// Values has the value of each variable in a query.
type Values map[string]string

// everything is Grafana's value for the choice of all values.
const everything = "$__all"

var (
	labelValues = regexp.MustCompile(`^label_values\((?:(.+),\s*)?(\w+)\)$`)
	queryResult = regexp.MustCompile(`^query_result\((.+)\)$`)
)

// Prometheus is the part of the Prometheus API that this package uses.
type Prometheus interface {
	Query(ctx context.Context, query string, at time.Time, options ...v1.Option) (model.Value, v1.Warnings, v1.Infos, error)
	QueryRange(ctx context.Context, query string, r v1.Range, options ...v1.Option) (model.Value, v1.Warnings, v1.Infos, error)
	LabelValues(ctx context.Context, label string, matches []string, from, to time.Time, options ...v1.Option) (model.LabelValues, v1.Warnings, v1.Infos, error)
}

// resolve chooses a value for each variable of a dashboard as Grafana does when the page is opened: the given one, else
// the dashboard's own, else the first. It returns the chosen values and all possible ones.
func resolve(ctx context.Context, prometheus Prometheus, variables []Variable, given Values, times Times) (Values, map[string][]string, error) {
	chosen, possible := Values{}, map[string][]string{}
	var failures []error
	for _, variable := range variables {
		if variable.Type != "query" {
			continue
		}
		values, err := ask(ctx, prometheus, variable, chosen, times)
		if err != nil {
			failures = append(failures, fmt.Errorf("variable %s: %w", variable.Name, err))
			continue
		}
		possible[variable.Name] = values
		value := variable.choose(values)
		if wanted := given[variable.Name]; wanted != "" {
			if !slices.Contains(values, wanted) {
				failures = append(failures, fmt.Errorf("variable %s: Prometheus knows no %q; it knows %s", variable.Name, wanted, strings.Join(values, ", ")))
			}
			value = wanted
		}
		chosen[variable.Name] = value
	}
	return chosen, possible, errors.Join(failures...)
}

func ask(ctx context.Context, prometheus Prometheus, variable Variable, chosen Values, times Times) ([]string, error) {
	query, _ := variable.Query.(string)
	if parts := queryResult.FindStringSubmatch(query); parts != nil {
		return askResult(ctx, prometheus, interpolate(parts[1], chosen, times, 0), variable.Regex, times)
	}
	parts := labelValues.FindStringSubmatch(query)
	if parts == nil {
		return nil, fmt.Errorf("cannot ask %q: only label_values(series, label) and query_result(expr) are known", query)
	}
	series := interpolate(parts[1], chosen, times, 0)
	found, _, _, err := prometheus.LabelValues(ctx, parts[2], []string{series}, times.From, times.To)
	if err != nil {
		return nil, fmt.Errorf("values of %s in %s: %w", parts[2], series, err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no value of %s in %s", parts[2], series)
	}
	values := make([]string, len(found))
	for i, value := range found {
		values[i] = string(value)
	}
	sort.Strings(values)
	if variable.Sort == 2 { // alphabetical, descending
		slices.Reverse(values)
	}
	return values, nil
}

// askResult returns the matches of a regular expression in each line of a query's result, in order.
func askResult(ctx context.Context, prometheus Prometheus, expr, find string, times Times) ([]string, error) {
	pattern, err := regexp.Compile(strings.Trim(find, "/"))
	if err != nil {
		return nil, fmt.Errorf("regular expression of the variable: %w", err)
	}
	answer, _, _, err := prometheus.Query(ctx, expr, times.To)
	if err != nil {
		return nil, fmt.Errorf("result of %s: %w", expr, err)
	}
	vector, _ := answer.(model.Vector)
	var values []string
	for _, sample := range vector {
		if found := pattern.FindStringSubmatch(sample.Metric.String()); len(found) > 1 {
			values = append(values, found[1])
		}
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("nothing that %s finds in the result of %s", find, expr)
	}
	return values, nil
}

func (v Variable) choose(values []string) string {
	switch current := v.Current.Value.(type) {
	case string:
		if slices.Contains(values, current) {
			return current
		}
	case []any:
		if v.IncludeAll && len(current) == 1 && current[0] == everything {
			return v.AllValue
		}
	}
	return values[0]
}

// Times is the time range of a dashboard.
type Times struct{ From, To time.Time }

const (
	// DataSourceStep is the timeInterval of the data source in the monitoring chart.
	DataSourceStep = 5 * time.Second
	// mostPoints is the largest number of points of a graph, for a wide screen.
	mostPoints = 1500
)

// step returns the step of a graph over the range: the requested one, or a longer one if the graph would exceed
// mostPoints.
func (t Times) step(shortest time.Duration) time.Duration {
	if shortest == 0 {
		shortest = DataSourceStep
	}
	for t.To.Sub(t.From)/shortest > mostPoints {
		shortest *= 2
	}
	return shortest
}

// rateInterval returns Grafana's $__rate_interval: wide enough for four scrapes, one of which may be missing at an
// edge.
func (t Times) rateInterval(shortest time.Duration) time.Duration {
	if shortest == 0 {
		shortest = DataSourceStep
	}
	return max(t.step(shortest)+shortest, 4*shortest)
}

var reference = regexp.MustCompile(`\$(?:\{(\w+)\}|(\w+))`)

// interpolate replaces $name and ${name} by their values. A variable without a value is kept, and the query then fails
// in Prometheus.
func interpolate(expr string, values Values, times Times, shortest time.Duration) string {
	return reference.ReplaceAllStringFunc(expr, func(match string) string {
		parts := reference.FindStringSubmatch(match)
		name := parts[1] + parts[2]
		switch name {
		case "__rate_interval":
			return duration(times.rateInterval(shortest))
		case "__interval":
			return duration(times.step(shortest))
		case "__range_s":
			return strconv.Itoa(int(times.To.Sub(times.From).Seconds()))
		case "__range":
			return duration(times.To.Sub(times.From))
		}
		if value, ok := values[name]; ok {
			return value
		}
		return match
	})
}

func duration(d time.Duration) string { return model.Duration(d.Round(time.Second)).String() }
