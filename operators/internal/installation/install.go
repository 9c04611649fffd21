package installation

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"helm.sh/helm/v4/pkg/action"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	releasev1 "helm.sh/helm/v4/pkg/release/v1"
	"k8s.io/client-go/discovery"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/internal/storechart"
)

// Names of Ringside's releases, and the namespaces in which they are installed by default.
const (
	OperatorRelease     = "ringside"
	OperatorNamespace   = "ringside"
	MonitoringRelease   = "monitoring"
	MonitoringNamespace = "ringside-monitoring"
)

// Installer installs Ringside in a cluster.
type Installer struct {
	Client    client.Client
	Discovery discovery.ServerGroupsInterface
	// Helm returns Helm's access to the releases of a namespace.
	Helm func(namespace string) (*action.Configuration, error)
	// Say prints a line. Progress shows what is being done, and a detail that may change often.
	Say      func(format string, args ...any)
	Progress func(doing, detail string)
	Now      func() time.Time
	// Tick is the interval of polls, and Patience how long a chart's workloads may take to become ready.
	Tick, Patience time.Duration
}

// Part is one of Ringside's charts in one namespace.
type Part struct {
	Release, Namespace string
	// Chart is the name of the chart, and Files are its files.
	Chart string
	Files fs.FS
	Layers
}

// title names the chart in messages.
func (p Part) title() string { return "charts/" + p.Chart }

// Order describes an installation.
type Order struct {
	Operator, Prometheus Part
	Monitoring           Monitoring
	// Reset discards the values of earlier installations.
	Reset bool
}

// Install installs or upgrades the operator, and then monitoring. Both are checked before anything is changed. No run needs monitoring: if it cannot be
// installed or does not become ready, that is a warning.
func (i *Installer) Install(ctx context.Context, order Order) error {
	parts := []Part{order.Operator}
	if order.Monitoring != None {
		parts = append(parts, order.Prometheus)
	}
	var planned []*upgrade
	for _, part := range parts {
		next, err := i.plan(ctx, part, order)
		if err != nil {
			return failed(part, err)
		}
		planned = append(planned, next)
	}
	for _, next := range planned {
		err := i.run(ctx, next)
		if err != nil && next.monitoring && ctx.Err() == nil {
			i.Say("warning: %s; experiments run without monitoring, and MONITORING=none leaves it out", err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

func failed(part Part, err error) error {
	return fmt.Errorf("install %s in namespace %s: %w", part.title(), part.Namespace, err)
}

// upgrade is the next revision of a release.
type upgrade struct {
	part        Part
	monitoring  bool
	helm        helm
	last        *releasev1.Release // nil if there is none
	chart       *chartv2.Chart
	values, own Values
}

// plan computes and checks the next revision of a part.
func (i *Installer) plan(ctx context.Context, part Part, order Order) (*upgrade, error) {
	chart, err := storechart.ReadFolder(part.Files)
	if err != nil {
		return nil, fmt.Errorf("read the chart: %w", err)
	}
	if err := i.awaitDeletion(ctx, part.Namespace); err != nil {
		return nil, err
	}
	configuration, err := i.Helm(part.Namespace)
	if err != nil {
		return nil, err
	}
	next := &upgrade{part: part, chart: chart, helm: helm{configuration, part.Release, part.Namespace},
		monitoring: part.Release == order.Prometheus.Release && part.Namespace == order.Prometheus.Namespace}
	if next.last, err = next.helm.last(); err != nil {
		return nil, err
	}
	live, ours, err := next.helm.state(next.last)
	if err != nil {
		return nil, err
	}
	if order.Reset {
		live, ours = nil, nil
	}
	layers := part.Layers
	if next.monitoring {
		decided := live != nil || enabledIn(layers.Defaults) || enabledIn(layers.Asked)
		defaults, wanted, err := i.monitoringValues(ctx, order.Monitoring, decided)
		if err != nil {
			return nil, err
		}
		layers.Defaults = Overlay(layers.Defaults, defaults)
		layers.Asked = Overlay(wanted, layers.Asked)
		if order.Monitoring == Detect && live != nil && At(ours, "prometheusOperator") != nil { // as detected when it was installed
			layers.Defaults = Overlay(layers.Defaults, Set(ours["prometheusOperator"], "prometheusOperator"))
		}
	}
	if layers, err = layers.normal(); err != nil {
		return nil, err
	}
	next.values, next.own = Merge(live, ours, layers)
	all, err := effective(chart, next.values)
	if err != nil {
		return nil, err
	}
	if next.monitoring {
		return next, i.checkVolume(ctx, part, all)
	}
	return next, nil
}

// enabledIn reports whether values say whether the cluster's Prometheus Operator is used.
func enabledIn(values Values) bool { return At(values, "prometheusOperator", "enabled") != nil }

func (l Layers) normal() (Layers, error) {
	for _, layer := range []*Values{&l.Defaults, &l.Asked, &l.Images} {
		out, err := normal(*layer)
		if err != nil {
			return Layers{}, err
		}
		*layer = out
	}
	return l, nil
}

// run installs the next revision and waits until it is ready.
func (i *Installer) run(ctx context.Context, next *upgrade) error {
	begun := i.Now()
	name := next.part.title()
	i.Progress("installing "+name, "")
	if err := i.createNamespace(ctx, next.part.Namespace); err != nil {
		return failed(next.part, err)
	}
	applied, err := next.helm.apply(ctx, next.last, next.chart, next.values, next.own)
	if err != nil {
		return failed(next.part, explain(err))
	}
	workloads, err := storechart.Workloads(applied.Manifest)
	if err != nil {
		return failed(next.part, fmt.Errorf("read the manifest: %w", err))
	}
	if err := i.awaitReady(ctx, next.part.Namespace, workloads); err != nil {
		return failed(next.part, err)
	}
	i.Say("%s is installed in namespace %s (release %s, revision %d, %.0f s)", name, next.part.Namespace, applied.Name, applied.Version, i.Now().Sub(begun).Seconds())
	return nil
}

// refusal matches Helm's prefix of a message from a template's fail function.
var refusal = regexp.MustCompile(`^execution error at \([^)]*\): `)

// explain returns Helm's error without what does not help the user.
func explain(err error) error {
	text := strings.TrimSpace(refusal.ReplaceAllString(err.Error(), ""))
	if strings.Contains(text, "conflict") && strings.Contains(text, "field manager") {
		return fmt.Errorf("%s; another tool changed fields of the chart's objects: set them by values, or let go of them", text)
	}
	return fmt.Errorf("%s", text)
}
