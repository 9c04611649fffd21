package runs

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/measure"
)

// readers of logs side by side: one alone waits for the API server most of the time, and many would keep it from all others.
const readers = 8

// Log reads and merges the logs of all load pods of a measurement; nil when it has none.
func (c *Cluster) Log(ctx context.Context, m *v1alpha1.Measurement) (*measure.Log, error) {
	pods, err := c.podLogs(ctx, m)
	if err != nil || len(pods) == 0 {
		return nil, err
	}
	return measure.MergePods(pods)
}

// podLogs in the order of the parts. The first that cannot be read ends it.
func (c *Cluster) podLogs(ctx context.Context, m *v1alpha1.Measurement) ([]measure.PodLog, error) {
	var parts []v1alpha1.Part
	for _, part := range m.Status.Parts {
		if part.Attempt == m.Status.Attempt && len(part.Logs) > 0 {
			parts = append(parts, part)
		}
	}
	pods := make([]measure.PodLog, len(parts))
	group, reading := errgroup.WithContext(ctx)
	group.SetLimit(readers)
	for i, part := range parts {
		group.Go(func() error {
			ctx, cancel := context.WithTimeout(reading, requestTimeout)
			defer cancel()
			chunks, err := c.chunks(ctx, part.Logs)
			if err != nil {
				return err
			}
			if pods[i], err = measure.PodLogOf(part, chunks); err != nil {
				return fmt.Errorf("reading the log of %s, pod %d: %w", m.Name, part.Index, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return pods, nil
}
