package nodeclient

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Whole returns an error unless all nodes of a store answer and have the same schema.
func Whole(versions map[string][]string, nodes int) error {
	if lost := versions[Unreachable]; len(lost) > 0 {
		slices.Sort(lost)
		return fmt.Errorf("%d of %d nodes do not answer: %s", len(lost), nodes, strings.Join(lost, ", "))
	}
	if len(versions) > 1 {
		return fmt.Errorf("the nodes hold %d schema versions", len(versions))
	}
	for _, holders := range versions {
		if len(holders) == nodes {
			return nil
		}
		return fmt.Errorf("%d of %d nodes are in the ring", len(holders), nodes)
	}
	return errors.New("no node tells its schema version")
}

// Poll repeats do until it succeeds or the context ends. It then returns do's last error.
func Poll(ctx context.Context, every time.Duration, do func() error) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		err := do()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w (%w)", err, ctx.Err())
		case <-ticker.C:
		}
	}
}

// WaitForOneSchema returns when all nodes have the same schema. Only then does every node know a new table.
func (d Dialer) WaitForOneSchema(ctx context.Context, address string, nodes int) error {
	err := Poll(ctx, 200*time.Millisecond, func() error {
		return d.With(ctx, address, 10*time.Second, func(client Client) error {
			versions, err := client.SchemaVersions(ctx)
			if err != nil {
				return err
			}
			return Whole(versions, nodes)
		})
	})
	if err != nil {
		return fmt.Errorf("waiting for one schema: %w", err)
	}
	return nil
}
