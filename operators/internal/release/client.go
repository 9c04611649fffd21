package release

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"helm.sh/helm/v4/pkg/action"
	chartcommon "helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/kube"
	helmrelease "helm.sh/helm/v4/pkg/release"
	"helm.sh/helm/v4/pkg/release/common"
	releasev1 "helm.sh/helm/v4/pkg/release/v1"
	"helm.sh/helm/v4/pkg/storage/driver"
	"k8s.io/client-go/rest"

	"ringside.dev/ringside/operators/internal/storechart"
)

const (
	// storageDriver keeps releases in ConfigMaps: a store's values hold no secret, and the operator then needs no access to any.
	storageDriver = "configmap"
	// hookTimeout bounds a chart's own hooks. Readiness is not Helm's business here.
	hookTimeout = 2 * time.Minute
)

// State of a release.
type State string

const (
	// Absent: nothing is installed under the name.
	Absent State = "Absent"
	// Interrupted: an installation or removal was begun and not ended, because the operator was or the API refused.
	Interrupted State = "Interrupted"
	// Deployed: all objects of the chart were created.
	Deployed State = "Deployed"
)

// Workload is an object of the release that has pods.
type Workload struct {
	Kind string
	Name string
	// Store says that its pods hold the store, StorePods how many it is to have (none for a DaemonSet, which the cluster decides).
	Store     bool
	StorePods int32
}

// Status of a release and, when it is deployed, the workloads that it must have.
type Status struct {
	State     State
	Workloads []Workload
}

// Order is an installation.
type Order struct {
	Release string
	Chart   *storechart.Chart
	Values  map[string]any
	Labels  map[string]string
}

// Client installs and removes stores in one namespace through Helm.
type Client struct {
	access    *clusterAccess
	namespace string
	logger    slog.Handler
}

// NewClient works in the given namespace over the given connection.
func NewClient(config *rest.Config, namespace string, logger slog.Handler) (*Client, error) {
	access, err := newClusterAccess(config, namespace)
	if err != nil {
		return nil, err
	}
	return &Client{access: access, namespace: namespace, logger: logger}, nil
}

// Status reads what Helm has recorded. One request.
func (c *Client) Status(_ context.Context, name string) (Status, error) {
	configuration, err := c.configuration()
	if err != nil {
		return Status{}, err
	}
	last, err := configuration.Releases.Last(name)
	if errors.Is(err, driver.ErrReleaseNotFound) {
		return Status{State: Absent}, nil
	}
	if err != nil {
		return Status{}, fmt.Errorf("read release %s: %w", name, err)
	}
	accessor, err := helmrelease.NewAccessor(last)
	if err != nil {
		return Status{}, fmt.Errorf("read release %s: %w", name, err)
	}
	if accessor.Status() != common.StatusDeployed.String() {
		return Status{State: Interrupted}, nil
	}
	workloads, err := Workloads(accessor.Manifest())
	if err != nil {
		return Status{}, fmt.Errorf("read the manifest of release %s: %w", name, err)
	}
	return Status{State: Deployed, Workloads: workloads}, nil
}

// Install creates the objects of the chart and returns without waiting for them.
func (c *Client) Install(ctx context.Context, order Order) error {
	configuration, err := c.configuration()
	if err != nil {
		return err
	}
	install := action.NewInstall(configuration)
	install.ReleaseName = order.Release
	install.Namespace = c.namespace
	install.WaitStrategy = kube.HookOnlyStrategy
	install.Timeout = hookTimeout
	install.SkipCRDs = true
	install.PostRenderer = labelRenderer(order.Labels)
	if _, err := install.RunWithContext(ctx, order.Chart.Helm(), order.Values); err != nil {
		return fmt.Errorf("install chart %s as %s: %w", order.Chart.Name(), order.Release, err)
	}
	return nil
}

// Uninstall deletes the objects of the release and returns without waiting for them. An absent release is no error.
func (c *Client) Uninstall(_ context.Context, name string) error {
	configuration, err := c.configuration()
	if err != nil {
		return err
	}
	uninstall := action.NewUninstall(configuration)
	uninstall.IgnoreNotFound = true
	uninstall.WaitStrategy = kube.HookOnlyStrategy
	uninstall.Timeout = hookTimeout
	uninstall.DeletionPropagation = "background"
	if _, err := uninstall.Run(name); err != nil {
		return fmt.Errorf("remove release %s: %w", name, err)
	}
	return nil
}

// renderVersion of Kubernetes is what charts are shown when they are rendered without a cluster. An installation asks the cluster.
const renderVersion = "v1.34.0"

// Render returns the chart's manifest, without a cluster.
func Render(ctx context.Context, order Order, namespace string) (string, error) {
	install := action.NewInstall(action.NewConfiguration())
	install.ReleaseName = order.Release
	install.Namespace = namespace
	install.DryRunStrategy = action.DryRunClient
	version, err := chartcommon.ParseKubeVersion(renderVersion)
	if err != nil {
		return "", fmt.Errorf("read the version %s: %w", renderVersion, err)
	}
	install.KubeVersion = version
	install.PostRenderer = labelRenderer(order.Labels)
	rendered, err := install.RunWithContext(ctx, order.Chart.Helm(), order.Values)
	if err != nil {
		return "", renderError(order.Chart.Name(), err)
	}
	release, ok := rendered.(*releasev1.Release)
	if !ok {
		return "", fmt.Errorf("render chart %s: unexpected release type %T", order.Chart.Name(), rendered)
	}
	return release.Manifest, nil
}

// refusal is what Helm puts before the words of a template that calls fail.
var refusal = regexp.MustCompile(`^execution error at \([^)]*\): `)

// renderError reports a chart that refuses its values in the chart's own words: where the template says so is of no use to who set them.
func renderError(chart string, err error) error {
	if text := err.Error(); refusal.MatchString(text) {
		return fmt.Errorf("store.values do not fit chart %s: %s", chart, refusal.ReplaceAllString(text, ""))
	}
	return fmt.Errorf("render chart %s: %w", chart, err)
}

func (c *Client) configuration() (*action.Configuration, error) {
	configuration := action.NewConfiguration(action.ConfigurationSetLogger(c.logger))
	if err := configuration.Init(c.access, c.namespace, storageDriver); err != nil {
		return nil, fmt.Errorf("prepare Helm: %w", err)
	}
	return configuration, nil
}
