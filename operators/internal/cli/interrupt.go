package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"ringside.dev/ringside/operators/internal/runs"
)

// interruptible returns a command that Ctrl-C cancels, with a few seconds to report what it leaves behind.
func (a *App) interruptible(work func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	const moment = 5 * time.Second
	return func(cmd *cobra.Command, args []string) error {
		ctx, cancel := context.WithCancel(cmd.Context())
		defer cancel()
		done := make(chan error, 1)
		go func() { done <- work(ctx, args) }()
		select {
		case err := <-done:
			return err
		case <-a.Signals:
		}
		cancel()
		select {
		case err := <-done:
			if err == nil {
				return nil // it had just finished
			}
			return fail(exitInterrupted, "interrupted: %w", err)
		case <-a.Signals:
		case <-time.After(moment):
		}
		return fail(exitInterrupted, "interrupted")
	}
}

// interrupted handles Ctrl-C while a run is followed. A run that this command started is stopped and kept with its store; a second Ctrl-C
// exits at once.
func (s *session) interrupted(ctx context.Context) error {
	if !s.options.own {
		s.app.printf("the run continues: %s follows it again, %s stops it", s.next("watch"), s.next("stop"))
		return &exitError{exitInterrupted, errTold}
	}
	s.app.printf("exporting finished measurements and stopping the run; Ctrl-C again exits at once")
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.stop(ctx) }()
	select {
	case <-s.app.Signals:
		look, cancelLook := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancelLook()
		s.app.printf("exited at once; still in the cluster: %s. %s exports and stops it, %s removes it",
			orNothing(s.cluster.Remains(look, s.run)), s.next("stop"), s.next("remove"))
		return &exitError{exitInterrupted, errTold}
	case err := <-done:
		return err
	}
}

// stop exports and prints finished measurements. The run stays in the cluster, so that a failure loses nothing and it can be resumed.
func (s *session) stop(ctx context.Context) error {
	run, seen := s.run.DeepCopy(), s.follower.Snapshot()
	if seen.Experiment == nil {
		return s.finish(ctx, seen, s.gone())
	}
	err := halt(ctx, s.cluster, run, s.exporter, seen.Measurements)
	if apierrors.IsNotFound(err) {
		return s.finish(ctx, runs.Snapshot{Measurements: seen.Measurements}, s.gone())
	}
	if err != nil {
		return s.app.halted(err, run, &s.options.where)
	}
	if runs.StandingOf(run) == runs.Stopping {
		const moment = 3 * time.Second // enough for the operator to stop an idle run
		if s.app.awaitStop(ctx, s.cluster, run, moment) == nil {
			if err := halt(ctx, s.cluster, run, s.exporter, nil); err != nil {
				return s.app.halted(err, run, &s.options.where)
			}
		}
	}
	if err := s.print(nil); err != nil && exitCode(err) == exitFailed {
		return err
	}
	return fail(exitInterrupted, "interrupted: %s", s.app.kept(ctx, s.exporter, run, &s.options.where))
}
