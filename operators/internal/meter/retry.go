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

// collision is that another pod wrote in between: of so many that write, each costs the API server time, and all but one in vain. Its pauses grow
// with them, so that an attempt meets few others.
type collision struct {
	pods int32
	error
}

func (c collision) Unwrap() error { return c.error }

// pauses after the first collision, and after many.
func (c collision) pauses() (first, longest time.Duration) {
	pods := time.Duration(c.pods)
	return max(firstPause, pods*20*time.Millisecond), max(2*time.Second, pods*60*time.Millisecond)
}

// Retry does what it is given until it succeeds, is no longer wanted, cannot ever succeed, or ctx ends. Pods that collide over one object draw
// different pauses.
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

// hopeless errors will be the same next time. Missing rights are not among them: they may follow the pod.
func hopeless(err error) bool {
	return errors.Is(err, ErrSuperseded) || apierrors.IsInvalid(err) || apierrors.IsRequestEntityTooLargeError(err) || apierrors.IsBadRequest(err)
}
