package meter

import (
	"context"
	"errors"
	"time"

	"ringside.dev/ringside/operators/internal/meter/loadtool"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

// awaitTool waits for the load tool's container to connect.
func (r *run) awaitTool(ctx context.Context) error {
	patience, cancel := context.WithTimeout(ctx, toolPatience)
	defer cancel()
	var err error
	if r.tool, err = loadtool.Await(patience, r.config.Socket); err == nil {
		err = r.hear(patience)
	}
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return &exitError{orders.ExitToolLost, "the load tool's container did not start"}
	}
	var known *exitError
	if errors.As(err, &known) {
		return known
	}
	return &exitError{orders.ExitToolFailed, err.Error()}
}

// stopTool asks the tool to end and waits until it has, or its container is gone.
func (r *run) stopTool() {
	if r.tool.Send(loadtool.Order{Stop: true}) != nil {
		return
	}
	late := time.After(stopPatience)
	for {
		select {
		case report, more := <-r.tool.Received():
			if !more || report.Ended != nil {
				return
			}
		case <-late:
			return
		}
	}
}

// leaveTool closes the connection, which ends a tool that still runs.
func (r *run) leaveTool() {
	if r.tool != nil {
		r.tool.Close()
	}
}

func toolLost() error {
	return &exitError{orders.ExitToolLost, "the load tool's container ended without a word: it was killed, or ran out of memory"}
}
