package meter

import (
	"context"
	"errors"
	"sync"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// progress reports the pod's progress to the API server, concurrently with the run. A server that does not answer delays nothing, and a
// newer report replaces an unsent one.
type progress struct {
	api    *API
	latest chan v1beta1.Part
	// superseded receives the error when the pod's attempt becomes obsolete.
	superseded chan error
	cancel     context.CancelFunc
	ended      sync.WaitGroup
}

func startProgress(ctx context.Context, api *API) *progress {
	ctx, cancel := context.WithCancel(ctx)
	p := &progress{api: api, latest: make(chan v1beta1.Part, 1), superseded: make(chan error, 1), cancel: cancel}
	p.ended.Go(func() { p.loop(ctx) })
	return p
}

// tell replaces an unsent report. Only one goroutine may call it.
func (p *progress) tell(part v1beta1.Part) {
	select {
	case <-p.latest:
	default:
	}
	p.latest <- part
}

// stop returns when no write is in progress, so that none can overwrite the result.
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
