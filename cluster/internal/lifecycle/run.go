package lifecycle

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/kubernetes"

	"ringside.dev/ringside/cluster/internal/addons"
	"ringside.dev/ringside/cluster/internal/pki"
	"ringside.dev/ringside/cluster/internal/preflight"
	"ringside.dev/ringside/cluster/internal/topology"
)

// work is a plan in execution, with data that its steps share.
type work struct {
	Cluster
	plan     Plan
	settings Settings
	facts    preflight.Facts
	nodes    []topology.Node
	store    pki.Store
	api      kubernetes.Interface
	started  time.Time
	fresh    []string // nodes that were started
	use      func(Settings) error
}

// run executes a plan's steps in order, and stops at the first error.
func (c Cluster) run(ctx context.Context, plan Plan, use func(Settings) error) error {
	w := &work{
		Cluster:  c,
		plan:     plan,
		settings: plan.Settings,
		nodes:    topology.Nodes(plan.Settings.Nodes),
		store:    pki.Store{Dir: c.Layout.PKI(), Now: c.Now},
		started:  c.Now(),
		use:      use,
	}
	if plan.Remains != "" {
		c.Say("removing remains of the dead cluster of %s", plan.Remains)
	}
	for _, step := range plan.Steps {
		if err := w.do(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

func (w *work) do(ctx context.Context, step Step) (err error) {
	switch step {
	case stepCheckHost:
		return w.checkHost()
	case stepInstallPackages:
		return w.installPackages(ctx)
	case stepEndProcesses:
		return w.endProcesses(ctx)
	case stepClearHost:
		return w.clearHost()
	case stepRemoveState:
		return w.removeState()
	case stepLeaveState:
		return fmt.Errorf("the cluster no longer runs, but %s has no cluster.json of one: its files were kept, remove them by hand", w.Layout.State)
	case stepVerifyGone:
		return w.verifyGone()
	case stepClaim:
		return w.claim(w.settings)
	case stepMeasureHost:
		return w.measureHost()
	case stepKeepPrograms:
		return w.keepPrograms()
	case stepStartMachines:
		w.fresh, err = w.startMachines(w.store, w.settings, w.nodes)
		return err
	case stepStartForwards:
		return w.startForwards(w.settings)
	case stepLoadOwnImages:
		return w.loadOwnImages(ctx, w.nodes)
	case stepWaitForAPI:
		w.api, err = w.waitForAPI(ctx)
		return err
	case stepApplyAddons:
		return addons.Apply(ctx, w.Layout.Kube("kubectl"), w.Layout.Kubeconfig(), w.Layout.KubectlCache())
	case stepWaitUntilReady:
		return w.waitUntilReady(ctx, w.api, w.settings, w.nodes, w.fresh, w.started)
	case stepUse:
		return w.use(w.settings)
	default:
		return fmt.Errorf("unknown step: %s", step)
	}
}
