// Package idle replaces a load tool in phases without load: it reads what the store's processes use at rest, and writes it in the format of
// a load's log. It runs in the load tool's container.
package idle

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/meter/counters"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// window is the time between two readings: short compared with a phase, so that a lost answer costs little of it.
const window = time.Second

// Geometry of the log's empty histograms, as in every load's.
const (
	longest = int64(time.Hour)
	digits  = 3
)

// OrdersError reports invalid orders, for which a retry does not help.
type OrdersError struct{ what string }

func (e *OrdersError) Error() string { return e.what }

// task holds the parsed orders.
type task struct {
	counters      []string
	duration      time.Duration
	hlog, summary string
	operation     string
}

// Run watches the store for the ordered time and writes log and summary.
func Run(ctx context.Context, environment func(string) string) error {
	t, err := taskOf(environment)
	if err != nil {
		return err
	}
	pods, err := counters.Dial(t.counters)
	if err != nil {
		return err
	}
	defer pods.Close()
	log, err := watch(ctx, pods, t, window)
	if err != nil {
		return err
	}
	return t.write(log)
}

func taskOf(environment func(string) string) (task, error) {
	t := task{hlog: environment(orders.EnvHlog), summary: environment(orders.EnvSummary), operation: environment(orders.EnvOperation)}
	seconds, err := strconv.Atoi(environment(orders.EnvDurationSeconds))
	if err != nil || seconds < 1 {
		return t, &OrdersError{fmt.Sprintf("%s is %q: an idle phase needs a duration of at least 1s", orders.EnvDurationSeconds, environment(orders.EnvDurationSeconds))}
	}
	t.duration = time.Duration(seconds) * time.Second
	if environment(orders.EnvCounters) == "" {
		return t, &OrdersError{"the store's pods do not tell what they use: an idle phase needs their counters port (docs/reference/store-contract.md)"}
	}
	t.counters = strings.Split(environment(orders.EnvCounters), ",")
	if t.hlog == "" || t.summary == "" {
		return t, &OrdersError{fmt.Sprintf("%s and %s must name the files to write, but one is empty", orders.EnvHlog, orders.EnvSummary)}
	}
	return t, nil
}

// watch reads the counters at the end of each window. A window is unknown if the reading at its start or end failed. If the first reading
// fails, watch returns an error.
func watch(ctx context.Context, pods counters.Pods, t task, window time.Duration) (*measure.Log, error) {
	before, err := pods.Counted(ctx)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	var intervals []measure.Interval
	var counted []measure.Counters
	for from := start; from.Sub(start) < t.duration; {
		select {
		case <-time.After(time.Until(from.Add(window))):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		after, err := pods.Counted(ctx)
		to := time.Now()
		c := measure.Counters{Start: from, End: to, Windows: 1}
		if err != nil || before == nil {
			c.Unknown = 1
		} else {
			c.Values = counters.Growth(before, after)
		}
		counted = append(counted, c)
		intervals = append(intervals, measure.Interval{Start: from, End: to, Histogram: hdrhistogram.NewPacked(1, longest, digits),
			Tag: measure.Tag{Operation: t.operation, Kind: v1beta1.LatencyService}})
		before, from = after, to
	}
	log := measure.NewLog(intervals)
	log.Windowed, log.Counters = true, counted
	return log, nil
}

// write writes the log, and a summary without operations.
func (t task) write(log *measure.Log) error {
	file, err := os.Create(t.hlog)
	if err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	if err := measure.WriteLog(file, log); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	if err := os.WriteFile(t.summary, []byte("operations=0\nerrors=0\n"), 0o644); err != nil {
		return fmt.Errorf("write the summary: %w", err)
	}
	return nil
}
