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

// Retry calls do until it succeeds, is superseded, has a permanent error, or ctx ends. Pauses are random, so that the pods of a load spread out.
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
		if time.Since(told) > time.Minute {
			logf("%s: %v; trying again", what, err)
			told = time.Now()
		}
		pause = min(pause, longestPause)
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
