package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/pki"
	"ringside.dev/ringside/cluster/internal/topology"
)

// statusTimeout bounds requests to an API server that may not answer.
const statusTimeout = 5 * time.Second

// row is a line of the status table.
type row struct {
	component string
	state     string
	detail    string
}

func (c Cluster) showStatus(ctx context.Context, out io.Writer, settings Settings) error {
	rows, healthy, err := c.rows(ctx, settings)
	if err != nil {
		return err
	}
	if err := writeTable(out, rows); err != nil {
		return fmt.Errorf("write status: %w", err)
	}
	if !healthy {
		return errors.New("some parts are down: 'ringside-cluster up' starts them")
	}
	return nil
}

func (c Cluster) rows(ctx context.Context, settings Settings) (rows []row, healthy bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.within(statusTimeout))
	defer cancel()
	api, err := c.client()
	if err != nil {
		return nil, false, err
	}
	healthy = true
	for _, name := range machines(settings.Nodes) {
		process, err := c.process(name)
		if err != nil {
			return nil, false, err
		}
		r, ok := c.machineRow(ctx, api, name, process)
		rows, healthy = append(rows, r), healthy && ok
	}
	forwards, err := c.forwards()
	if err != nil {
		return nil, false, err
	}
	for _, f := range append(settings.forwards(), forwards...) {
		process, err := c.process(forwardRecord(f.Name))
		if err != nil {
			return nil, false, err
		}
		state := "up"
		if !process.Alive() {
			state, healthy = "down", false
		}
		rows = append(rows, row{"forward " + f.Name, state, fmt.Sprintf("%s to %s from %s", f.Listen, f.Target, f.Machine)})
	}
	certificates, good, err := c.certificates(settings)
	if err != nil {
		return nil, false, err
	}
	healthy = healthy && good
	rows = append(rows, certificates,
		row{"disk", settings.Disk.Kind, settings.Disk.Evidence},
		row{"kubeconfig", "", c.Layout.Kubeconfig()},
	)
	return rows, healthy, nil
}

// certificates returns when the first certificate expires. Daemons read theirs at their start: a new certificate takes
// effect when its machine is restarted.
func (c Cluster) certificates(settings Settings) (row, bool, error) {
	dirs := []string{c.Layout.PKI()}
	for _, n := range topology.Nodes(settings.Nodes) {
		dirs = append(dirs, filepath.Join(c.Layout.Machine(n.Name), "pki"))
	}
	end, err := pki.Expiry(dirs...)
	if err != nil {
		return row{}, false, err
	}
	state, good := "good", true
	if c.Now().After(end) {
		state, good = "ended", false
	}
	return row{"certificates", state, fmt.Sprintf("the first expires on %s; a machine that starts within 30 days before gets new ones ('down', then 'up' renews all)", end.Format(time.DateOnly))}, good, nil
}

func (c Cluster) machineRow(ctx context.Context, api kubernetes.Interface, name string, process machine.Process) (row, bool) {
	if !process.Alive() {
		return row{name, "down", ""}, false
	}
	services, err := process.Services()
	if err != nil {
		return row{name, "starting", ""}, false
	}
	detail, healthy := describeServices(services)
	if name == topology.ControlPlane {
		if err := api.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error(); err != nil {
			return row{name, "not ready", detail}, false
		}
		return row{name, "ready", detail}, healthy
	}
	if err := nodeReady(ctx, api, name); err != nil {
		return row{name, "not ready", detail}, false
	}
	policies, err := policiesInForce(process)
	if err != nil {
		return row{name, "ready", fmt.Sprintf("%s; network policies are not enforced: %v", detail, err)}, false
	}
	detail = fmt.Sprintf("%s; network policies: %d for %d pods", detail, policies.Policies, policies.Pods)
	return row{name, "ready", detail + c.offer(ctx, api, name)}, healthy
}

// offer describes the resources that a node offers to pods.
func (c Cluster) offer(ctx context.Context, api kubernetes.Interface, name string) string {
	node, err := api.CoreV1().Nodes().Get(ctx, name, meta.GetOptions{})
	if err != nil {
		return ""
	}
	return fmt.Sprintf("; for pods: %d MiB, %s CPUs (shared)",
		node.Status.Allocatable.Memory().Value()>>20, node.Status.Allocatable.Cpu())
}

func describeServices(services []machine.ServiceStatus) (text string, healthy bool) {
	healthy = true
	var parts []string
	for _, s := range services {
		part := s.Name
		if !s.Running {
			part, healthy = fmt.Sprintf("%s (down: %s)", part, s.LastExit), false
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", "), healthy
}

func writeTable(out io.Writer, rows []row) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "COMPONENT\tSTATE\tDETAIL")
	for _, r := range rows {
		fmt.Fprintf(table, "%s\t%s\t%s\n", r.component, r.state, r.detail)
	}
	return table.Flush()
}
