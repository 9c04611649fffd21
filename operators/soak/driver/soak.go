// Package driver is a soak: runs one after the other while parts of the platform are killed at moments drawn from a seed, and books that
// must balance at the end.
package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/soak/books"
	"ringside.dev/ringside/operators/soak/schedule"
)

// Options of a soak.
type Options struct {
	// Root of the repository, with its programs built.
	Root string
	// State and Instance of the embedded cluster.
	State, Instance string
	Namespace       string
	Seed            int64
	Kills           int
	// Gap between two kills, on average.
	Gap time.Duration
	// Results of the runs, and the driver's log.
	Results string
	Out     io.Writer
}

// settling is how long what was removed may take to be gone.
const settling = 3 * time.Minute

// Soak runs it and prints what was found; false when the books do not balance.
func Soak(ctx context.Context, o Options) (bool, error) {
	s, err := newSoak(o)
	if err != nil {
		return false, err
	}
	defer func() { _ = s.log.Close() }()
	fmt.Fprintf(o.Out, "soak: seed %d, %d kills, %s between two on average; the driver's log: %s\n", o.Seed, o.Kills, o.Gap, s.log.Name())
	before, err := s.inventory.take(ctx)
	if err != nil {
		return false, err
	}
	s.runs, err = s.drive(ctx)
	found := books.Balance(s.runs, s.hits)
	if err != nil {
		found = append(found, books.Discrepancy{Where: "soak", What: err.Error()})
	}
	found = append(found, s.remains(ctx, before)...)
	s.print(found)
	return len(found) == 0, nil
}

type soak struct {
	Options
	client    client.Client
	machines  Machines
	inventory *inventory
	command   *Command
	killer    *killer
	campaign  *campaign
	log       *os.File
	runs      []books.Run
	hits      []books.Hit
}

func newSoak(o Options) (*soak, error) {
	s := &soak{Options: o}
	var err error
	if s.machines, err = FindMachines(o.Instance); err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(o.State, "kubeconfig")
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("read the cluster's kubeconfig: %w", err)
	}
	config.Timeout = patience
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{} // old kinds are listed, too
	if s.client, err = client.New(config, client.Options{Scheme: runs.Scheme()}); err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	if s.inventory, err = newInventory(config, o.Namespace, o.State, s.machines); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Results, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder of results: %w", err)
	}
	if s.log, err = os.Create(filepath.Join(o.Results, "hits.jsonl")); err != nil {
		return nil, fmt.Errorf("open the driver's log: %w", err)
	}
	s.command = &Command{program: filepath.Join(o.Root, "build/bin/ringside"), folder: o.Root, log: filepath.Join(o.Results, "ringside.log"), environment: os.Environ()}
	s.killer = &killer{client: s.client, namespace: o.Namespace, machines: s.machines, command: s.command,
		up: upBy(filepath.Join(o.Root, "build/bin/ringside-cluster"), o.State, o.Instance)}
	s.campaign = &campaign{command: s.command, client: s.client, namespace: o.Namespace, profile: "cluster/experiment-profile.yaml", results: o.Results,
		place: []string{"--kubeconfig", kubeconfig, "--namespace", o.Namespace, "--results", o.Results}, say: s.say}
	return s, nil
}

func (s *soak) say(format string, args ...any) { fmt.Fprintf(s.Out, format+"\n", args...) }

// drive runs until all kills are done; the last run goes on to its end.
func (s *soak) drive(ctx context.Context) ([]books.Run, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	var killing sync.WaitGroup
	killing.Go(func() { done <- s.killAll(ctx) })
	defer killing.Wait()
	defer cancel()
	var all []books.Run
	for i := 0; ; i++ {
		of := templates[i%len(templates)]
		s.say("run %d: %s", i+1, of.document)
		run, err := s.campaign.drive(ctx, of)
		if run.Experiment != nil {
			all = append(all, run)
		}
		if err != nil {
			return all, err
		}
		select {
		case err := <-done:
			return all, err
		default:
		}
	}
}

// waitFor something to hit; what waits longer is left out.
const waitFor = 30 * time.Second

// killAll as the seed says.
func (s *soak) killAll(ctx context.Context) error {
	sequence := schedule.New(s.Seed, s.Gap)
	begun := time.Now()
	for done := 0; done < s.Kills; {
		order := sequence.Next()
		if err := pause(ctx, order.After); err != nil {
			return err
		}
		hit, err := s.killOne(ctx, order)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.say("  %-16s left out: %v", order.Kind, err)
			continue
		}
		done++
		hit.Number = done
		s.hits = append(s.hits, hit)
		if err := json.NewEncoder(s.log).Encode(hit); err != nil {
			return fmt.Errorf("write the driver's log: %w", err)
		}
		s.say("  kill %d/%d at %s: %s: %s", done, s.Kills, time.Since(begun).Round(time.Second), hit.Kind, hit.Target)
	}
	return nil
}

// killOne, or wait for one of the kind to appear: at a moment of its own life that the seed draws, not always at its birth.
func (s *soak) killOne(ctx context.Context, order schedule.Kill) (books.Hit, error) {
	for end := time.Now().Add(waitFor); ; {
		hit, err := s.killer.kill(ctx, order)
		if err == nil || ctx.Err() != nil || time.Now().After(end) {
			return hit, err
		}
		wait := retryPause
		if errors.Is(err, errNothing) {
			const life = 8 * time.Second
			wait = time.Duration(order.Pick%uint64(life/time.Millisecond)) * time.Millisecond
		}
		if err := pause(ctx, wait); err != nil {
			return hit, err
		}
	}
}

// remains of the runs, once what was removed had time to go.
func (s *soak) remains(ctx context.Context, before map[string]bool) []books.Discrepancy {
	var lines []string
	var err error
	for end := time.Now().Add(settling); ; {
		var now map[string]bool
		if now, err = s.inventory.take(ctx); err == nil {
			if lines = left(before, now); len(lines) == 0 {
				return nil
			}
		}
		if time.Now().After(end) || pause(ctx, retryPause) != nil {
			break
		}
	}
	var found []books.Discrepancy
	for _, line := range lines {
		found = append(found, books.Discrepancy{Where: "left behind", What: line})
	}
	if err != nil {
		found = append(found, books.Discrepancy{Where: "left behind", What: "could not be looked at: " + err.Error()})
	}
	return found
}

// print what was hit, what was measured, and what should not be.
func (s *soak) print(found []books.Discrepancy) {
	books.Print(s.Out, s.runs, s.hits, found)
}
