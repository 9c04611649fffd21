package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/compare/precision"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/runs/progress"
	"ringside.dev/ringside/operators/internal/textfmt"
)

type followOptions struct {
	where  place
	format string
	// own reports whether Ctrl-C stops the run; if not, it only ends the watching.
	own bool
	// invalidOK makes invalid measurements a message instead of an error.
	invalidOK bool
}

const (
	// acceptPatience is how long the operator may take to accept a run before a message names where to look.
	acceptPatience = 30 * time.Second
	// acceptLimit is when it will not accept it any more: a second replica takes over within a minute, and a queued run is accepted, too.
	acceptLimit = 5 * time.Minute
)

// session follows one run.
type session struct {
	app      *App
	cluster  *runs.Cluster
	run      *v1beta1.Experiment
	options  followOptions
	follower *runs.Follower
	exporter *exporter
	screen   *screen
	begun    time.Time
	warned   bool
	paused   runs.Standing
	lost     bool
	troubles []string
	news     progress.News
	// settled is the number of phases that were reported to have reached their precision.
	settled int
}

// follow shows a run's progress until it ends, exports every measurement as soon as it is finished, and prints the table.
func (a *App) follow(ctx context.Context, cluster *runs.Cluster, run *v1beta1.Experiment, options followOptions) error {
	exporter, err := a.newExporter(cluster, run, &options.where)
	if err != nil {
		return fail(exitFailed, "%w; the run continues: fix this and %s follows it, %s stops it", err,
			a.next("watch", run.RunID(), &options.where), a.next("stop", run.RunID(), &options.where))
	}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	s := &session{
		app: a, cluster: cluster, run: run, options: options, exporter: exporter,
		follower: cluster.Follow(watching, run), screen: newScreen(a), begun: a.Now(),
	}
	a.printf("run %s, results in %s", run.RunID(), exporter.folder.Path)
	tick := time.NewTicker(a.Tick)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-a.Signals:
			s.screen.clear()
			return s.interrupted(ctx)
		case <-s.follower.Changed():
		case <-tick.C:
		}
		if ended, err := s.look(ctx); ended || err != nil {
			return err
		}
	}
}

// look processes the state once; ended is true when the run is over.
func (s *session) look(ctx context.Context) (ended bool, err error) {
	snapshot := s.follower.Snapshot()
	if s.printLoss(snapshot.Lost); snapshot.Lost != nil {
		return false, nil
	}
	s.exporter.add(ctx, snapshot.Measurements)
	if snapshot.Experiment == nil {
		s.screen.clear()
		return true, s.finish(ctx, snapshot, s.gone())
	}
	s.run = snapshot.Experiment
	s.printTroubles(snapshot.Troubles)
	outcome, message := progress.End(s.run)
	if outcome == progress.Running {
		if err := s.awaitAcceptance(ctx); err != nil {
			return true, err
		}
		s.printSuspension()
		s.printSettled()
		s.screen.show(progress.Of(s.run, snapshot.Measurements, s.app.Now()).Despite(snapshot.Troubles, s.news.Since(s.run, snapshot.Measurements, s.app.Now())))
		return false, nil
	}
	s.screen.clear()
	if note := progress.Unscraped(s.run); note != "" {
		s.app.printf("note: %s", note)
	}
	if outcome == progress.Failed {
		return true, s.finish(ctx, snapshot, fail(exitFailed, "the run failed: %s [%s]", message, progress.WhyFailed(s.run)))
	}
	if message != "" {
		s.app.printf("the run is complete: %s", message)
	}
	return true, s.finish(ctx, snapshot, nil)
}

func (s *session) printLoss(err error) {
	switch {
	case err != nil && !s.lost:
		s.screen.clear()
		s.app.printf("the cluster does not answer, trying again: %v", err)
	case err == nil && s.lost:
		s.app.printf("the cluster answers again")
	}
	s.lost = err != nil
}

// awaitAcceptance warns once of a run that no operator accepts, and ends with an error at the limit. A run that this command started is stopped then:
// an operator that comes later must not start what nobody follows.
func (s *session) awaitAcceptance(ctx context.Context) error {
	waited := s.app.Now().Sub(s.begun)
	if len(s.run.Status.Conditions) > 0 || waited < acceptPatience {
		return nil
	}
	const look = "see kubectl logs -A -l app.kubernetes.io/name=ringside,app.kubernetes.io/component=operator"
	if waited < acceptLimit {
		if !s.warned {
			s.screen.clear()
			s.app.printf("the operator has not accepted the run after %s: %s", acceptPatience, look)
		}
		s.warned = true
		return nil
	}
	s.screen.clear()
	next := fmt.Sprintf("%s follows it again", s.next("watch"))
	if s.options.own {
		if err := s.cluster.Suspend(ctx, s.run); err != nil {
			return fmt.Errorf("stopping a run that no operator accepted within %s: %w; %s, and %s stops it", acceptLimit, err, look, s.next("stop"))
		}
		next = fmt.Sprintf("the run is stopped: %s resumes it, %s removes it", s.next("resume"), s.next("remove"))
	}
	return problem.Problem{Reason: problem.OperatorUnavailable, What: fmt.Sprintf("following run %s: no operator accepted it within %s", s.run.RunID(), acceptLimit),
		Fix: look + "; " + next}
}

// printSettled reports once each phase that is left out of the remaining rounds. The end of the run reports those of the last round.
func (s *session) printSettled() {
	judged := s.run.Status.Precision
	if judged == nil || judged.Reason != "" {
		return
	}
	for ; s.settled < len(judged.Settled); s.settled++ {
		s.screen.clear()
		s.app.printf("%s; later rounds are without it", precision.Settled(judged.Settled[s.settled]))
	}
}

// printSuspension reports that a run is stopped or being deleted, and how to resume it.
func (s *session) printSuspension() {
	standing := runs.StandingOf(s.run)
	if standing == s.paused {
		return
	}
	s.paused = standing
	switch standing {
	case runs.Stopping:
		s.screen.clear()
		s.app.printf("the run was asked to stop, and stops after: %s", cmp.Or(s.run.Status.Current, "the phase under way"))
	case runs.Stopped:
		s.screen.clear()
		s.app.printf("the run is stopped: %s resumes it", s.next("resume"))
	case runs.Leaving:
		s.screen.clear()
		s.app.printf("the run is being deleted by someone else: its finished measurements are exported as long as they can be read")
	}
}

// printTroubles reports once what blocks the run, and once that it is no longer blocked.
func (s *session) printTroubles(troubles []string) {
	if slices.Equal(troubles, s.troubles) {
		return
	}
	s.screen.clear()
	switch {
	case len(troubles) > 0:
		s.app.printf("the run is blocked: %s; its finished measurements are in %s", strings.Join(troubles, ", and "), s.exporter.folder.Path)
	default:
		s.app.printf("the run is no longer blocked")
	}
	s.troubles = troubles
}

// gone returns the error for a run that is no longer in the cluster.
func (s *session) gone() error {
	return fail(exitFailed, "the run was deleted by someone else, at %d of %d measurements; those that were finished are exported", len(s.exporter.rows), s.run.Status.Planned)
}

func (s *session) next(command string) string {
	return s.app.next(command, s.run.RunID(), &s.options.where)
}

// finish writes the files of a complete run and prints the table. cause is why the run ended early, if it did.
func (s *session) finish(ctx context.Context, snapshot runs.Snapshot, cause error) error {
	err := s.exporter.finish(ctx, s.run, snapshot.Measurements)
	switch {
	case err != nil && snapshot.Experiment == nil:
		return fail(exitFailed, "the run was deleted by someone else before it was exported completely, and the rest is lost: %w", err)
	case err != nil:
		return fail(exitFailed, "%w; it is kept in the cluster: %s tries again", err, s.next("export"))
	}
	return s.print(cause)
}

// print prints what was exported.
func (s *session) print(cause error) error {
	rows := s.exporter.rows
	if s.options.format != textfmt.Wide && textfmt.ForPeople(s.options.format) {
		if shown, err := s.app.printExported(s.exporter); shown || err != nil {
			return errors.Join(err, cmp.Or(cause, s.invalid()))
		}
	}
	if err := s.app.printRun(rows, s.exporter.servers(), textfmt.UnitsOf(s.run), s.options.format); err != nil {
		return err
	}
	if err := s.app.printSweeps(s.exporter.archived, s.options.format); err != nil {
		return err
	}
	if s.exporter.comparison != nil && textfmt.ForPeople(s.options.format) {
		fmt.Fprintln(s.app.Out)
		if err := s.app.printComparison(s.exporter.comparison, s.options.format); err != nil {
			return err
		}
	}
	s.app.printFiles(s.exporter.folder.Path, len(rows))
	if s.exporter.comparison == nil && textfmt.ForPeople(s.options.format) {
		s.app.printNext(s.exporter.archived)
	}
	if cause != nil {
		return cause
	}
	return s.invalid()
}

// invalid returns the error of a run with invalid measurements, or prints it if they are accepted.
func (s *session) invalid() error {
	err := invalidOf(s.run.RunID(), results.CountInvalid(s.exporter.rows), len(s.exporter.rows))
	if err != nil && s.options.invalidOK {
		s.app.printf("%v", err)
		return nil
	}
	return err
}

func invalidOf(run string, invalid, all int) error {
	if invalid == 0 {
		return nil
	}
	return fail(exitInvalid, "%d of %d measurements of run %s are invalid: ringside table shows why", invalid, all, run)
}

func writeYAML(w io.Writer, object any) error {
	text, err := yaml.Marshal(object)
	if err != nil {
		return fmt.Errorf("encoding: %w", err)
	}
	_, err = w.Write(text)
	return err
}
