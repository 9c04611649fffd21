package meter

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
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// idleWindow is the time between two readings: short compared with a phase, so that a lost answer costs little of it.
const idleWindow = time.Second

// Geometry of the log's empty histograms, as in every load's.
const (
	idleLongest = int64(time.Hour)
	idleDigits  = 3
)

// OrdersError reports invalid orders, for which a retry does not help.
type OrdersError struct{ what string }

func (e *OrdersError) Error() string { return e.what }

// idleTask holds the parsed orders.
type idleTask struct {
	counters      []string
	duration      time.Duration
	hlog, summary string
	operation     string
}

// RunIdle replaces a load tool in a phase without load, in the load tool's container: it watches what the store's processes use at rest for the
// ordered time, and writes that in the format of a load's log, with a summary.
func RunIdle(ctx context.Context, environment func(string) string) error {
	t, err := idleTaskOf(environment)
	if err != nil {
		return err
	}
	pods, err := dialPods(t.counters)
	if err != nil {
		return err
	}
	defer pods.Close()
	log, err := watchIdle(ctx, pods, t, idleWindow)
	if err != nil {
		return err
	}
	return t.write(log)
}

func idleTaskOf(environment func(string) string) (idleTask, error) {
	t := idleTask{hlog: environment(orders.EnvHlog), summary: environment(orders.EnvSummary), operation: environment(orders.EnvOperation)}
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

// watchIdle reads the counters at the end of each window. A window is unknown if the reading at its start or end failed. If the first reading
// fails, watchIdle returns an error.
func watchIdle(ctx context.Context, pods storePods, t idleTask, window time.Duration) (*measure.Log, error) {
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
			c.Values = growth(before, after)
		}
		counted = append(counted, c)
		intervals = append(intervals, measure.Interval{Start: from, End: to, Histogram: hdrhistogram.NewPacked(1, idleLongest, idleDigits),
			Tag: measure.Tag{Operation: t.operation, Kind: v1beta1.LatencyService}})
		before, from = after, to
	}
	log := measure.NewLog(intervals)
	log.Windowed, log.Counters = true, counted
	return log, nil
}

// write writes the log, and a summary without operations.
func (t idleTask) write(log *measure.Log) error {
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
