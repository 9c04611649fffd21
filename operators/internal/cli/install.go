package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/internal/document"
	"ringside.dev/ringside/operators/internal/installation"
	"ringside.dev/ringside/operators/internal/runs"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// site is the cluster of an installation, and where its images come from.
type site struct {
	kubeconfig, context, monitoringNamespace, loader string
}

func (s *site) bind(cmd *cobra.Command) {
	s.bindCluster(cmd)
	cmd.Flags().StringVar(&s.monitoringNamespace, "monitoring-namespace", installation.MonitoringNamespace, "`namespace` of Prometheus and Grafana")
}

func (s *site) bindCluster(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.kubeconfig, "kubeconfig", "", "kubeconfig `file` (default: $KUBECONFIG, then ~/.kube/config)")
	cmd.Flags().StringVar(&s.context, "context", "", "`context` of the kubeconfig (default: the current one)")
}

func (s *site) bindLoader(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.loader, "load-with", "", "`command` that loads an image archive into the nodes; the archive's path is appended. Without it, nodes pull images")
}

type installFlags struct {
	site
	folders
	namespace, profile          string
	values, monitoringValues    []string
	built, monitoringBuilt      string
	monitoring, secret, archive string
	reset                       bool
	timeout                     time.Duration
}

func (a *App) installCommand() *cobra.Command {
	f := installFlags{folders: folders{builtIn: a.BuiltIn}}
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install or upgrade the operator and its monitoring in a cluster",
		Long: "Install or upgrade the operator and its monitoring in a cluster, with Helm. Only values that Ringside set itself change: what was set\n" +
			"by helm upgrade, or by a values file of an earlier installation, stays.\n\n" + exitCodes,
		Args: atMost(0),
		RunE: a.interruptible(func(ctx context.Context, _ []string) error { return a.install(ctx, &f) }),
	}
	f.site.bind(cmd)
	f.bindLoader(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.namespace, "namespace", defaultNamespace, "`namespace` of the operator and its runs")
	f.bindCharts(cmd)
	flags.StringVar(&f.profile, "profile", "", "profile, by `name` or file, with the values for a kind of cluster")
	flags.StringSliceVar(&f.values, "values", nil, "values `files` of the chart ringside, separated by commas; later ones win")
	flags.StringSliceVar(&f.monitoringValues, "monitoring-values", nil, "values `files` of the chart monitoring, separated by commas; later ones win")
	flags.StringVar(&f.built, "built", "", "values `file` of the operator's image and its digests: ringside-images values operator")
	flags.StringVar(&f.monitoringBuilt, "monitoring-built", "", "values `file` of Prometheus's image, if it was built: ringside-images values monitoring")
	flags.StringVar(&f.monitoring, "monitoring", "", "`mode`: own (Prometheus and Grafana), operator (monitors, rules and dashboards for the cluster's Prometheus Operator), or none (default: what is installed, else as the cluster has a Prometheus Operator or not)")
	flags.StringVar(&f.secret, "pull-secret", "", "`name` of the Secret with which nodes log in to the registry of the built images; needed in both namespaces")
	flags.StringVar(&f.archive, "grafana-archive", "", "image archive `file` of Grafana: load it, and run Grafana from it")
	flags.BoolVar(&f.reset, "reset-values", false, "forget the values of earlier installations")
	flags.DurationVar(&f.timeout, "timeout", 5*time.Minute, "`time` to wait until the pods of a chart are ready")
	return cmd
}

func (a *App) install(ctx context.Context, f *installFlags) error {
	order, err := f.order()
	if err != nil {
		return err
	}
	installer, _, done, err := a.installer(&f.site)
	if err != nil {
		return err
	}
	defer done()
	installer.Patience = f.timeout
	if f.archive != "" {
		image, err := f.site.load(ctx, installer, f.archive)
		if err != nil {
			return err
		}
		order.Prometheus.Asked = installation.Overlay(order.Prometheus.Asked, installation.GrafanaValues(image))
	}
	return installer.Install(ctx, order)
}

// order reads the files that the flags name.
func (f *installFlags) order() (installation.Order, error) {
	bad := func(err error) (installation.Order, error) {
		return installation.Order{}, fail(exitBadInput, "%w", err)
	}
	mode, err := installation.ParseMonitoring(f.monitoring)
	if err != nil {
		return bad(err)
	}
	order := installation.Order{
		Monitoring: mode, Reset: f.reset,
		Operator:   installation.Part{Release: installation.OperatorRelease, Namespace: f.namespace, Chart: "ringside"},
		Prometheus: installation.Part{Release: installation.MonitoringRelease, Namespace: f.monitoringNamespace, Chart: "monitoring"},
	}
	order.Prometheus.Defaults = installation.Set([]any{f.namespace}, "namespaces")
	if f.profile != "" {
		profiles, err := f.profileSources()
		if err != nil {
			return bad(err)
		}
		profile, err := document.ReadProfile(f.profile, profiles...)
		if err != nil {
			return bad(err)
		}
		order.Operator.Defaults = profile.Installation.Operator
		order.Prometheus.Defaults = installation.Overlay(order.Prometheus.Defaults, profile.Installation.Monitoring)
	}
	for _, read := range []struct {
		into  *installation.Values
		files []string
	}{
		{&order.Operator.Asked, f.values}, {&order.Prometheus.Asked, f.monitoringValues},
		{&order.Operator.Images, one(f.built)}, {&order.Prometheus.Images, one(f.monitoringBuilt)},
	} {
		if *read.into, err = readValues(read.files); err != nil {
			return bad(err)
		}
	}
	ours := len(order.Prometheus.Images) > 0
	if ours { // because public images cannot be pulled, and Grafana's cannot be built
		order.Prometheus.Defaults = installation.Overlay(order.Prometheus.Defaults, installation.Set(false, "grafana", "enabled"))
	}
	if f.secret != "" {
		secrets := []any{map[string]any{"name": f.secret}}
		order.Operator.Asked = installation.Overlay(installation.Set(secrets, "imagePullSecrets"), order.Operator.Asked)
		if ours { // public images need none
			order.Prometheus.Asked = installation.Overlay(installation.Set(secrets, "prometheus", "imagePullSecrets"), order.Prometheus.Asked)
		}
	}
	for _, part := range []*installation.Part{&order.Operator, &order.Prometheus} {
		if part.Files, err = f.chart(part.Chart); err != nil {
			return bad(err)
		}
	}
	return order, nil
}

func one(file string) []string {
	if file == "" {
		return nil
	}
	return []string{file}
}

// readValues reads values files; later ones win.
func readValues(files []string) (installation.Values, error) {
	var all installation.Values
	for _, file := range files {
		if file = strings.TrimSpace(file); file == "" {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read values: %w", err)
		}
		var values installation.Values
		if err := yaml.Unmarshal(content, &values); err != nil {
			return nil, fmt.Errorf("read values file %s: %s; it must be a YAML table", file, textfmt.FirstLine(err))
		}
		all = installation.Overlay(all, values)
	}
	return all, nil
}

// installer connects to the cluster, and shows progress until done is called.
func (a *App) installer(s *site) (installer *installation.Installer, config *rest.Config, done func(), err error) {
	if config, err = a.Config(s.kubeconfig, s.context); err != nil {
		return nil, nil, nil, err
	}
	if err := runs.Answers(config); err != nil {
		return nil, nil, nil, err
	}
	if installer, err = installation.New(config); err != nil {
		return nil, nil, nil, err
	}
	shown := newScreen(a)
	installer.Now, installer.Tick = a.Now, a.Tick
	installer.Progress = func(doing, detail string) {
		text := doing
		if detail != "" {
			text += ": " + detail
		}
		shown.line(text, doing, waitingPeriod)
	}
	installer.Say = func(format string, args ...any) {
		shown.clear()
		a.printf(format, args...)
	}
	return installer, config, shown.clear, nil
}

// load loads an image archive into the nodes, and returns the name of its image.
func (s *site) load(ctx context.Context, installer *installation.Installer, archive string) (installation.Image, error) {
	image, err := installation.ImageIn(archive)
	if err != nil {
		return installation.Image{}, fail(exitBadInput, "%w", err)
	}
	words := strings.Fields(s.loader)
	if len(words) == 0 {
		return installation.Image{}, fail(exitBadInput, "load image archive %s: no command loads archives into the nodes of this cluster (--load-with); push the image to a registry that the nodes pull from", archive)
	}
	installer.Progress("loading "+image.Reference()+" into the nodes", "")
	output, err := exec.CommandContext(ctx, words[0], append(words[1:], archive)...).CombinedOutput()
	if err != nil {
		return installation.Image{}, fmt.Errorf("load image archive %s: %s: %w: %s", archive, words[0], err, strings.TrimSpace(string(output)))
	}
	return image, nil
}
