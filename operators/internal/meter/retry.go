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
	// longestCollision is the longest pause after another pod has written in between.
	longestCollision = 2 * time.Second
)

// Retry does what it is given until it succeeds, is no longer wanted, cannot ever succeed, or ctx ends. Pods that collide over one object draw
// different pauses, and longer ones the more often they do: of sixty-four that try again and again at once nearly all that the API server
// does is in vain.
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
		switch {
		case apierrors.IsConflict(err):
			longest = longestCollision
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
