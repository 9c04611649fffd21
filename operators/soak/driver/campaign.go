package driver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/results"
	"ringside.dev/ringside/operators/soak/books"
)

// template of the runs: an experiment document, cut short.
type template struct {
	document string
	flags    []string
}

// templates in turns: stores of their own in which datagrams come back, then one store with a volume that all servers share, with an
// ordinary phase and one in which they take turns.
var templates = []template{
	{"udp-idle", []string{"--server", "blocking,inline",
		"--set", "spec.phases=[{name: warm, operation: echo, type: Prepare, duration: 3s, threads: 2}, {name: echo, duration: 5s, threads: 2, repeats: 2}, {name: idle, type: Idle, duration: 5s}]"}},
	{"http-workers", []string{"--server", "arrayqueue,arrayqueue-64", "--set", "spec.keys=5000", "--set", "spec.warmupRounds=0",
		"--set", "spec.phases=[{name: fill, operation: write, type: Prepare, operations: 10000, threads: 4, parameters: {when-busy: retry}}, " +
			"{name: get, operation: read, operations: 30000, threads: 4}, {name: turns, operation: read, duration: 10s, threads: 4, interleave: {window: 1s, warmup: 1s}}]"}},
}

// common to all: what is lost is tried again more often than a soak hits it.
var common = []string{"--rounds", "1", "--set", "spec.maxAttempts=10"}

// campaign drives one run after the other, as a person would: with the ringside command, started again when it was killed.
type campaign struct {
	command   *Command
	client    client.Client
	namespace string
	// profile is the document that fits experiments to the cluster; place are the flags that say where the cluster and the results are.
	profile, results string
	place            []string
	say              func(string, ...any)
}

const (
	// tries of a command that was killed, or found no cluster.
	tries      = 100
	retryPause = time.Second
)

// drive one run to its end and remove it.
func (c *campaign) drive(ctx context.Context, of template) (books.Run, error) {
	experiment, err := c.follow(ctx, of)
	if err != nil {
		return books.Run{}, err
	}
	run, err := c.look(ctx, experiment)
	if err != nil {
		return books.Run{}, err
	}
	return run, c.remove(ctx, experiment)
}

// follow the run from its start until it has ended and a command has exported it.
func (c *campaign) follow(ctx context.Context, of template) (*v1beta1.Experiment, error) {
	begin := append([]string{"run", of.document, "--profile", c.profile}, append(slices.Clone(of.flags), common...)...)
	var experiment *v1beta1.Experiment
	for try := range tries {
		words := begin
		if experiment != nil {
			words = []string{[]string{"resume", "watch"}[try%2], experiment.RunID()}
		}
		code, killed, err := c.command.Run(ctx, append(words, c.place...)...)
		if err != nil {
			return nil, err
		}
		// What a command asked for that was killed may be done a moment later.
		if err := pause(ctx, retryPause); err != nil {
			return nil, err
		}
		if experiment, err = c.only(ctx); err != nil {
			return nil, err
		}
		switch {
		case experiment != nil && experiment.Status.FinishedAt != nil && !killed && exported(code, experiment):
			return experiment, nil
		case !killed:
			c.say("  ringside %s ended with %d; again", words[0], code)
		}
	}
	return nil, fmt.Errorf("no ringside command followed a run of %s to its end in %d tries", of.document, tries)
}

// exported reports whether a command that ended so has written all: done, done with invalid measurements, or done with a run that failed.
func exported(code int, experiment *v1beta1.Experiment) bool {
	return code == 0 || code == 3 || code == 1 && meta.IsStatusConditionTrue(experiment.Status.Conditions, v1beta1.ConditionFailed)
}

// only run in the namespace; nil where there is none.
func (c *campaign) only(ctx context.Context) (*v1beta1.Experiment, error) {
	var list v1beta1.ExperimentList
	if err := c.insist(ctx, func() error { return c.client.List(ctx, &list, client.InNamespace(c.namespace)) }); err != nil {
		return nil, err
	}
	switch len(list.Items) {
	case 0:
		return nil, nil
	case 1:
		return &list.Items[0], nil
	}
	return nil, fmt.Errorf("there are %d runs where one was started", len(list.Items))
}

// look at all that is known of a run.
func (c *campaign) look(ctx context.Context, experiment *v1beta1.Experiment) (books.Run, error) {
	run := books.Run{Experiment: experiment}
	for _, cell := range plan.OfRun(experiment).Cells() {
		run.Planned = append(run.Planned, cell.Name)
	}
	var list v1beta1.MeasurementList
	if err := c.insist(ctx, func() error { return c.client.List(ctx, &list, client.InNamespace(c.namespace)) }); err != nil {
		return run, err
	}
	run.Measurements = list.Items
	file, err := os.Open(filepath.Join(c.results, experiment.DocumentName(), experiment.RunID(), "measurements.csv"))
	if err != nil {
		return run, fmt.Errorf("open what was exported: %w", err)
	}
	defer func() { _ = file.Close() }()
	run.Rows, _, err = results.ReadCSV(file)
	return run, err
}

// remove the run, as often as it takes.
func (c *campaign) remove(ctx context.Context, experiment *v1beta1.Experiment) error {
	for range tries {
		code, killed, err := c.command.Run(ctx, append([]string{"remove", experiment.RunID()}, c.place...)...)
		if err != nil {
			return err
		}
		if !killed && code != 0 {
			c.say("  ringside remove ended with %d", code)
		}
		left, err := c.only(ctx)
		if err != nil || left == nil {
			return err
		}
		if err := pause(ctx, retryPause); err != nil {
			return err
		}
	}
	return fmt.Errorf("run %s could not be removed in %d tries", experiment.Name, tries)
}

// insist on an answer of an API server that may just have been hit.
func (c *campaign) insist(ctx context.Context, ask func() error) error {
	var last error
	for end := time.Now().Add(5 * patience); time.Now().Before(end); {
		if last = ask(); last == nil {
			return nil
		}
		if err := pause(ctx, retryPause); err != nil {
			return errors.Join(err, last)
		}
	}
	return last
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
