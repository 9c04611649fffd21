// Package lifecycle brings the embedded cluster up and down and tells how it is.
//
// Every command goes one way: take the lock, observe what is there, plan, and only then do what the plan says. Whose
// cluster it is and whether it lives is decided in the plan, from what was seen under the lock, and nowhere else.
package lifecycle

import (
	"context"
	"io"
	"path/filepath"
	"time"

	"ringside.dev/ringside/cluster/internal/cgroup"
	"ringside.dev/ringside/cluster/internal/forward"
	"ringside.dev/ringside/cluster/internal/layout"
	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/topology"
)

// Cluster is one embedded cluster on this host.
type Cluster struct {
	Layout layout.Layout
	Tree   cgroup.Tree
	// Say reports progress, one line at a time.
	Say func(format string, args ...any)
	Now func() time.Time
}

// patience is how long a small change waits for another command to end; a start or an end of the cluster, which would
// meet a cluster that has become another one, does not wait.
const patience = 2 * time.Minute

// Up starts what is not running yet and returns when the cluster is of use.
func (c Cluster) Up(ctx context.Context, request Request) error {
	request.Verb = Up
	return c.change(ctx, request, 0, nil)
}

// Down ends the cluster and removes all that it made, and makes sure of it.
func (c Cluster) Down(ctx context.Context) error {
	return c.change(ctx, Request{Verb: Down}, 0, nil)
}

// LoadImages brings archives into every node that does not have their images yet.
func (c Cluster) LoadImages(ctx context.Context, archives []string) error {
	return c.change(ctx, Request{Verb: Use}, patience, func(settings Settings) error {
		return c.loadArchives(ctx, archives, topology.Nodes(settings.Nodes))
	})
}

// AddForward starts carrying a port, and will again after each start of the cluster until it is taken down.
func (c Cluster) AddForward(ctx context.Context, f forward.Forward) error {
	return c.change(ctx, Request{Verb: Use}, patience, func(Settings) error { return c.addForward(f) })
}

// RemoveForward stops carrying a port for good.
func (c Cluster) RemoveForward(ctx context.Context, name string) error {
	return c.change(ctx, Request{Verb: Use}, patience, func(Settings) error { return c.removeForward(name) })
}

// Preflight checks the host and changes nothing.
func (c Cluster) Preflight(ctx context.Context, request Request) error {
	request.Verb = Preflight
	return c.look(ctx, request, nil)
}

// Status writes a table of the cluster's parts. It fails if any of them is not as it should be.
func (c Cluster) Status(ctx context.Context, out io.Writer) error {
	return c.look(ctx, Request{Verb: Status}, func(settings Settings) error { return c.showStatus(ctx, out, settings) })
}

// change does what the request asks for, and what is to be done with a cluster that is up, under the lock.
func (c Cluster) change(ctx context.Context, request Request, wait time.Duration, use func(Settings) error) error {
	unlock, err := c.lock(ctx, wait)
	if err != nil {
		return err
	}
	defer unlock()
	return c.look(ctx, request, use)
}

// look is a change without the lock: for what changes nothing.
func (c Cluster) look(ctx context.Context, request Request, use func(Settings) error) error {
	state, err := c.observe()
	if err != nil {
		return err
	}
	plan, err := makePlan(state, request)
	if err != nil {
		return err
	}
	return c.run(ctx, plan, use)
}

func (c Cluster) process(name string) (machine.Process, error) {
	return machine.Recorded(c.Layout.Run(), name)
}

func (c Cluster) cgroup(machineName string) string {
	return filepath.Join(c.Layout.Cgroup(), machineName)
}

// daemonCgroup holds a machine's daemons, beside its pods.
func (c Cluster) daemonCgroup(machineName string) string {
	return filepath.Join(c.cgroup(machineName), "daemons")
}

func machines(nodes int) []string {
	names := []string{topology.ControlPlane}
	for _, node := range topology.Nodes(nodes) {
		names = append(names, node.Name)
	}
	return names
}
