package runs

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
)

// readers is the number of logs that are read in parallel. One reader waits for the API server most of the time; many
// would slow down other clients.
const readers = 8

// Log reads and merges the logs of all load pods of a measurement; nil if it has none.
func (c *Cluster) Log(ctx context.Context, m *v1beta1.Measurement) (*measure.Log, error) {
	pods, err := c.podLogs(ctx, m)
	if err != nil || len(pods) == 0 {
		return nil, err
	}
	return measure.MergePods(pods)
}

// podLogs reads the logs in the order of the parts. It stops at the first error.
func (c *Cluster) podLogs(ctx context.Context, m *v1beta1.Measurement) ([]measure.PodLog, error) {
	var parts []v1beta1.Part
	for _, part := range m.CurrentParts() {
		if len(part.Logs) > 0 {
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
