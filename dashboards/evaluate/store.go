package evaluate

import (
	"context"
	"fmt"

	"ringside.dev/ringside/dashboards/tags"
	"ringside.dev/ringside/operators/metrics"
)

// OfStore returns the dashboards that are for a store.
func OfStore(dashboards []Dashboard, store string) []Dashboard {
	var of []Dashboard
	for _, d := range dashboards {
		if tags.For(d.Tags, store) {
			of = append(of, d)
		}
	}
	return of
}

// StoreOf returns the store of a run from the series of its load.
func StoreOf(ctx context.Context, prometheus Prometheus, series string, times Times) (string, error) {
	found, _, _, err := prometheus.LabelValues(ctx, metrics.LabelStore, []string{series}, times.From, times.To)
	if err != nil {
		return "", fmt.Errorf("ask which store %s is of: %w", series, err)
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%s is of %d stores (%v): a run has one", series, len(found), found)
	}
	return string(found[0]), nil
}
