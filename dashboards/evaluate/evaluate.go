package evaluate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// Answer is the result of a query of a dashboard.
type Answer struct {
	Dashboard string
	Panel     string
	RefID     string
	Expr      string // as sent
	Series    int
	// Points counts values that are numbers or histograms.
	Points   int
	Warnings []string
	Infos    []string
	Fault    error
}

// ErrEmpty is the error of a query without a result to draw.
var ErrEmpty = errors.New("empty answer")

// All runs every query of the dashboards and returns their answers. A dashboard with a variable without values yields
// one answer with that error.
func All(ctx context.Context, prometheus Prometheus, dashboards []Dashboard, given Values, times Times) ([]Answer, error) {
	var answers []Answer
	for _, dashboard := range dashboards {
		queries, err := dashboard.Queries()
		if err != nil {
			return nil, err
		}
		chosen, possible, err := resolve(ctx, prometheus, dashboard.Templating.List, given, times)
		if err != nil {
			answers = append(answers, Answer{Dashboard: dashboard.Title, Panel: "(variables)", Fault: err})
		}
		for _, query := range queries {
			for _, values := range repeats(query, chosen, possible) {
				answer := one(ctx, prometheus, query, values, times)
				answer.Dashboard = dashboard.Title
				answers = append(answers, answer)
			}
		}
	}
	return answers, nil
}

// repeats returns the values of the variables for each repetition of a query: a repeated panel has one query per value
// of its variable.
func repeats(query Query, chosen Values, possible map[string][]string) []Values {
	if query.Repeat == "" || len(possible[query.Repeat]) == 0 {
		return []Values{chosen}
	}
	var all []Values
	for _, value := range possible[query.Repeat] {
		values := maps.Clone(chosen)
		values[query.Repeat] = value
		all = append(all, values)
	}
	return all
}

func one(ctx context.Context, prometheus Prometheus, query Query, values Values, times Times) Answer {
	answer := Answer{
		Panel: interpolate(query.Panel, values, times, query.Step),
		RefID: query.RefID,
		Expr:  interpolate(query.Expr, values, times, query.Step),
	}
	var value model.Value
	if query.Instant {
		value, answer.Warnings, answer.Infos, answer.Fault = prometheus.Query(ctx, answer.Expr, times.To)
	} else {
		step := times.step(query.Step)
		value, answer.Warnings, answer.Infos, answer.Fault = prometheus.QueryRange(ctx, answer.Expr, v1.Range{Start: times.From, End: times.To, Step: step})
	}
	if answer.Fault != nil {
		return answer
	}
	if answer.Series, answer.Points, answer.Fault = count(value); answer.Fault == nil && answer.Points == 0 && !query.Optional {
		answer.Fault = ErrEmpty
	}
	return answer
}

// count returns the number of series and of drawable points. A quantile without operations is NaN, which cannot be
// drawn.
func count(value model.Value) (series, points int, err error) {
	drawable := func(v model.SampleValue) int {
		if math.IsNaN(float64(v)) {
			return 0
		}
		return 1
	}
	switch value := value.(type) {
	case model.Vector:
		for _, sample := range value {
			if sample.Histogram != nil {
				points++
				continue
			}
			points += drawable(sample.Value)
		}
		return len(value), points, nil
	case model.Matrix:
		for _, stream := range value {
			points += len(stream.Histograms)
			for _, pair := range stream.Values {
				points += drawable(pair.Value)
			}
		}
		return len(value), points, nil
	}
	return 0, 0, fmt.Errorf("an answer of type %s is nothing that a panel draws", value.Type())
}

// TimesOf returns when a run generated load, within the given duration before now. It adds a minute on both sides.
func TimesOf(ctx context.Context, prometheus Prometheus, series string, now time.Time, back time.Duration) (Times, error) {
	const step = 15 * time.Second
	value, _, _, err := prometheus.QueryRange(ctx, series, v1.Range{Start: now.Add(-back), End: now, Step: step})
	if err != nil {
		return Times{}, fmt.Errorf("look for %s: %w", series, err)
	}
	matrix, _ := value.(model.Matrix)
	var from, to model.Time
	for _, stream := range matrix {
		for _, pair := range stream.Values {
			if from == 0 || pair.Timestamp.Before(from) {
				from = pair.Timestamp
			}
			if pair.Timestamp.After(to) {
				to = pair.Timestamp
			}
		}
	}
	if to == 0 {
		return Times{}, fmt.Errorf("Prometheus knows nothing of %s in the last %s", series, duration(back))
	}
	times := Times{From: from.Time().Add(-time.Minute), To: to.Time().Add(time.Minute)}
	if times.To.After(now) {
		times.To = now
	}
	return times, nil
}
