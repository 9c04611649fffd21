package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/installation"
)

const (
	prometheusService, prometheusPort = installation.MonitoringRelease + "-prometheus", 9090
	grafanaService, grafanaPort       = installation.MonitoringRelease + "-grafana", 3000
	// defaultPulled is the folder of the archives of images that were pulled.
	defaultPulled = "build/images/pulled"
)

func (a *App) prometheusCommand() *cobra.Command {
	var s site
	var port int
	cmd := &cobra.Command{
		Use:   "prometheus",
		Short: "Forward a port of 127.0.0.1 to Prometheus and print the address; Ctrl-C ends it",
		Long:  "Forward a port of 127.0.0.1 to Prometheus and print the address. Ctrl-C ends it.\n\n" + exitCodes,
		Args:  atMost(0),
		RunE: a.interruptible(func(ctx context.Context, _ []string) error {
			if err := installation.Listen(port); err != nil {
				return fail(exitBadInput, "open Prometheus: %w", err)
			}
			installer, config, done, err := a.installer(&s)
			if err != nil {
				return err
			}
			defer done()
			return a.forward(ctx, installer, config, "Prometheus", s.monitoringNamespace, prometheusService, port, nil)
		}),
	}
	s.bind(cmd)
	cmd.Flags().IntVar(&port, "port", prometheusPort, "`port` on 127.0.0.1; 0 is any free one")
	return cmd
}

type grafanaFlags struct {
	site
	port                    int
	mirror, archive, pulled string
}

func (a *App) grafanaCommand() *cobra.Command {
	var f grafanaFlags
	cmd := &cobra.Command{
		Use:   "grafana",
		Short: "Forward a port of 127.0.0.1 to Grafana and print the address; Ctrl-C ends it",
		Long: "Forward a port of 127.0.0.1 to Grafana and print the address. Ctrl-C ends it. If Grafana does not run and its image can be loaded into\n" +
			"the nodes (--load-with), the image is pulled on this machine first, loaded, and Grafana is started.\n\n" + exitCodes,
		Args: atMost(0),
		RunE: a.interruptible(func(ctx context.Context, _ []string) error {
			if err := installation.Listen(f.port); err != nil {
				return fail(exitBadInput, "open Grafana: %w", err)
			}
			installer, config, done, err := a.installer(&f.site)
			if err != nil {
				return err
			}
			defer done()
			if err := f.start(ctx, installer); err != nil {
				return err
			}
			return a.forward(ctx, installer, config, "Grafana", f.monitoringNamespace, grafanaService, f.port, func(address string) error {
				return f.sayLinks(ctx, installer, address)
			})
		}),
	}
	f.bind(cmd)
	f.bindLoader(cmd)
	cmd.Flags().IntVar(&f.port, "port", grafanaPort, "`port` on 127.0.0.1; 0 is any free one")
	cmd.Flags().StringVar(&f.mirror, "mirror", "", "`registry`, with or without a path, from which Grafana's image is pulled in place of its own")
	cmd.Flags().StringVar(&f.archive, "archive", "", "image archive `file` of Grafana, which is loaded in place of a pulled image")
	cmd.Flags().StringVar(&f.pulled, "pulled", defaultPulled, "`folder` of the archives of pulled images")
	return cmd
}

// start makes Grafana run, if it does not.
func (f *grafanaFlags) start(ctx context.Context, installer *installation.Installer) error {
	enabled, image, err := installer.GrafanaState(f.monitoringNamespace)
	if absent := (*installation.AbsentError)(nil); errors.As(err, &absent) {
		return fail(exitUnavailable, "open Grafana: %w", err)
	}
	if err != nil {
		return fmt.Errorf("open Grafana: %w", err)
	}
	if enabled && f.archive == "" {
		return nil
	}
	if f.loader == "" {
		return fail(exitUnavailable, "open Grafana: it is not enabled; set grafana.enabled: true in a values file and run: make install MONITORING_VALUES=<file>")
	}
	archive := f.archive
	if archive == "" {
		archive = filepath.Join(f.pulled, strings.NewReplacer("/", "_", ":", "_").Replace(image.Reference())+".tar")
		if err := f.pull(ctx, installer, image, archive); err != nil {
			return fail(exitUnavailable, "open Grafana: it is not enabled, and its image is not on the nodes: %w; "+
				"name a registry that has it: make grafana MIRROR=<registry>, or an archive of it: make grafana GRAFANA_IMAGE_ARCHIVE=<file>, from a machine that can pull it: docker save %s -o <file>",
				err, image.Reference())
		}
	}
	loaded, err := f.load(ctx, installer, archive)
	if err != nil {
		return err
	}
	return installer.EnableGrafana(ctx, f.monitoringNamespace, loaded)
}

// pull pulls the image, unless an earlier call did.
func (f *grafanaFlags) pull(ctx context.Context, installer *installation.Installer, image installation.Image, archive string) error {
	if found, err := installation.ImageIn(archive); err == nil && found == image {
		return nil
	}
	doing := "pulling " + image.Reference()
	installer.Progress(doing, "")
	return installation.PullImage(ctx, installation.PullOrder{Reference: image.Reference(), Mirror: f.mirror, Into: archive, Progress: func(done string) { installer.Progress(doing, done) }})
}

// sayLinks prints the addresses of the dashboards.
func (f *grafanaFlags) sayLinks(ctx context.Context, installer *installation.Installer, address string) error {
	dashboards, err := installer.Dashboards(f.monitoringNamespace)
	if err != nil {
		return err
	}
	var runs v1beta1.ExperimentList
	if err := installer.Client.List(ctx, &runs); err != nil {
		return fmt.Errorf("list the runs of the cluster: %w", err)
	}
	for _, line := range links(address, dashboards, runs.Items) {
		installer.Say("%s", line)
	}
	return nil
}

// forward forwards a port to a Service until Ctrl-C. opened is called with the address; nil does nothing.
func (a *App) forward(ctx context.Context, installer *installation.Installer, config *rest.Config, title, namespace, service string, port int, opened func(address string) error) error {
	target, err := installation.FindTarget(ctx, installer.Client, namespace, service)
	if apierrors.IsNotFound(err) {
		return fail(exitUnavailable, "open %s: Ringside's is not installed in namespace %s; run: make install (on a cluster with a Prometheus Operator: make install MONITORING=own)", title, namespace)
	}
	if err != nil {
		return fmt.Errorf("open %s: %w", title, err)
	}
	return installation.Forward(ctx, config, target, port, func(address string) {
		installer.Say("%s: http://%s (Ctrl-C ends it)", title, address)
		if opened == nil {
			return
		}
		if err := opened(address); err != nil {
			installer.Say("links to the dashboards are left out: %v", err)
		}
	})
}
