// Package lifecycle starts and stops the embedded cluster and reports its state.
//
// Every command takes the lock, observes the present state, plans, and then executes the plan. Only the plan decides
// whose cluster it is and whether it runs, from the state that was observed under the lock.
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

// Cluster is an embedded cluster on this host.
type Cluster struct {
	Layout layout.Layout
	Tree   cgroup.Tree
	// Say prints a progress message of one line.
	Say func(format string, args ...any)
	Now func() time.Time
	// Patience multiplies all time-outs; 0 stands for 1.
	Patience int
}

// within returns a time-out for this machine.
func (c Cluster) within(timeout time.Duration) time.Duration {
	return time.Duration(max(c.Patience, 1)) * timeout
}

// patience is how long a small change waits for another command. Starting and stopping the cluster do not wait, because
// the cluster might be a different one afterwards.
const patience = 2 * time.Minute

// Up starts everything that does not run yet, and returns when the cluster is ready.
func (c Cluster) Up(ctx context.Context, request Request) error {
	request.Verb = Up
	return c.change(ctx, request, 0, nil)
}

// Down stops the cluster, removes everything that it created, and verifies the removal.
func (c Cluster) Down(ctx context.Context) error {
	return c.change(ctx, Request{Verb: Down}, 0, nil)
}

// LoadImages loads archives into every node that lacks their images.
func (c Cluster) LoadImages(ctx context.Context, archives []string) error {
	return c.change(ctx, Request{Verb: Use}, patience, func(settings Settings) error {
		return c.loadArchives(ctx, archives, topology.Nodes(settings.Nodes))
	})
}

// AddForward starts a forward. It starts again with the cluster until it is removed.
func (c Cluster) AddForward(ctx context.Context, f forward.Forward) error {
	return c.change(ctx, Request{Verb: Use}, patience, func(Settings) error { return c.addForward(f) })
}

// RemoveForward removes a forward permanently.
func (c Cluster) RemoveForward(ctx context.Context, name string) error {
	return c.change(ctx, Request{Verb: Use}, patience, func(Settings) error { return c.removeForward(name) })
}

// Preflight checks the host without changing it.
func (c Cluster) Preflight(ctx context.Context, request Request) error {
	request.Verb = Preflight
	return c.look(ctx, request, nil)
}

// Status writes a table of the cluster's parts. It fails if any of them is not healthy.
func (c Cluster) Status(ctx context.Context, out io.Writer) error {
	return c.look(ctx, Request{Verb: Status}, func(settings Settings) error { return c.showStatus(ctx, out, settings) })
}

// change executes the request under the lock, and then use, if the cluster runs.
func (c Cluster) change(ctx context.Context, request Request, wait time.Duration, use func(Settings) error) error {
	unlock, err := c.lock(ctx, wait)
	if err != nil {
		return err
	}
	defer unlock()
	return c.look(ctx, request, use)
}

// look executes a request that changes nothing, without the lock.
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

// daemonCgroup returns the control group of a machine's daemons, next to that of its pods.
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
