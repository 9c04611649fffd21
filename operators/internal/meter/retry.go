package meter

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

const (
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
)

// collision reports that another pod wrote first. When many pods write, each attempt costs the API server time, and all but one fail. The
// pauses therefore grow with the number of pods, so that attempts rarely collide.
type collision struct {
	pods int32
	error
}

func (c collision) Unwrap() error { return c.error }

// pauses returns the pause after the first collision, and the longest pause.
func (c collision) pauses() (first, longest time.Duration) {
	pods := time.Duration(c.pods)
	return max(firstPause, pods*20*time.Millisecond), max(2*time.Second, pods*60*time.Millisecond)
}

// Retry calls do until it succeeds, is superseded, has a permanent error, or ctx ends. Pauses are random, so that pods that collide over
// one object spread out.
func Retry(ctx context.Context, what string, do func(context.Context) error) error {
	pause := firstPause
	var told time.Time
	for {
		err := do(ctx)
		if err == nil || hopeless(err) {
			return err
		}
		if ctx.Err() != nil {
			return fmt.Errorf("gave up: %s: %w", what, err)
		}
		longest := longestPause
		var met collision
		switch {
		case errors.As(err, &met):
			var first time.Duration
			first, longest = met.pauses()
			pause = max(pause, first)
		case time.Since(told) > time.Minute:
			logf("%s: %v; trying again", what, err)
			told = time.Now()
		}
		pause = min(pause, longest)
		select {
		case <-time.After(pause/2 + rand.N(pause)):
		case <-ctx.Done():
			return fmt.Errorf("gave up: %s: %w", what, err)
		}
		pause *= 2
	}
}

// hopeless reports whether an error is permanent. Missing permissions are not, because they may be granted after the pod starts.
func hopeless(err error) bool {
	return errors.Is(err, ErrSuperseded) || apierrors.IsInvalid(err) || apierrors.IsRequestEntityTooLargeError(err) || apierrors.IsBadRequest(err)
}
