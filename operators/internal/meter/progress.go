package meter

import (
	"context"
	"errors"
	"sync"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

// progress tells the API server how far the pod is, beside the run: a server that does not answer holds nothing up, and
// what is not told in time is dropped for what is newer.
type progress struct {
	api    *API
	latest chan v1alpha1.Part
	// superseded carries the news that the pod's work is no longer wanted.
	superseded chan error
	cancel     context.CancelFunc
	ended      sync.WaitGroup
}

func startProgress(ctx context.Context, api *API) *progress {
	ctx, cancel := context.WithCancel(ctx)
	p := &progress{api: api, latest: make(chan v1alpha1.Part, 1), superseded: make(chan error, 1), cancel: cancel}
	p.ended.Go(func() { p.loop(ctx) })
	return p
}

// tell replaces what was not told yet. Only one goroutine may call it.
func (p *progress) tell(part v1alpha1.Part) {
	select {
	case <-p.latest:
	default:
	}
	p.latest <- part
}

// stop returns once no write is under way, so that none can overtake the result.
func (p *progress) stop() {
	p.cancel()
	p.ended.Wait()
}

func (p *progress) loop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case part := <-p.latest:
			limited, cancel := context.WithTimeout(ctx, progressLimit)
			err := Retry(limited, "tell the progress", func(ctx context.Context) error { return p.api.WritePart(ctx, part) })
			cancel()
			if errors.Is(err, ErrSuperseded) {
				p.superseded <- err
				return
			}
		}
	}
}
