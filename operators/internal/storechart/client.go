package storechart

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

	"ringside.dev/ringside/operators/internal/problem"
)

const (
	// storageDriver keeps releases in ConfigMaps: the values of a store have no secrets, and the operator then needs no
	// right to read Secrets.
	storageDriver = "configmap"
	// hookTimeout bounds a chart's hooks. The operator, not Helm, waits for readiness.
	hookTimeout = 2 * time.Minute
)

// ReleaseState is the state of a release.
type ReleaseState string

const (
	// Absent means that no release has the name.
	Absent ReleaseState = "Absent"
	// Interrupted means that an installation or removal began but did not complete: the operator stopped, or the API
	// server rejected an object.
	Interrupted ReleaseState = "Interrupted"
	// Deployed means that all objects of the chart were created.
	Deployed ReleaseState = "Deployed"
)

// Workload is an object of the release that has pods.
type Workload struct {
	Kind string
	Name string
	// Store reports whether its pods run the store. StorePods is their requested number; 0 for a DaemonSet, whose
	// number depends on the cluster.
	Store     bool
	StorePods int32
}

// ReleaseStatus is the state of a release and, if it is deployed, its expected workloads.
type ReleaseStatus struct {
	State     ReleaseState
	Workloads []Workload
}

// Order describes an installation.
type Order struct {
	Release string
	Chart   *Chart
	Values  map[string]any
	Labels  map[string]string
	// Beside states that other releases with these labels are installed at the same time: their pods ask for the same nodes.
	Beside bool
}

// Client installs and removes stores in one namespace with Helm.
type Client struct {
	access    *Access
	namespace string
	logger    slog.Handler
}

// NewClient returns a client for the given namespace and connection.
func NewClient(config *rest.Config, namespace string, logger slog.Handler) (*Client, error) {
	access, err := NewAccess(config, namespace)
	if err != nil {
		return nil, err
	}
	return &Client{access: access, namespace: namespace, logger: logger}, nil
}

// Status reads Helm's record of a release, in one request.
func (c *Client) Status(_ context.Context, name string) (ReleaseStatus, error) {
	configuration, err := c.configuration()
	if err != nil {
		return ReleaseStatus{}, err
	}
	last, err := configuration.Releases.Last(name)
	if errors.Is(err, driver.ErrReleaseNotFound) {
		return ReleaseStatus{State: Absent}, nil
	}
	if err != nil {
		return ReleaseStatus{}, fmt.Errorf("read release %s: %w", name, err)
	}
	accessor, err := helmrelease.NewAccessor(last)
	if err != nil {
		return ReleaseStatus{}, fmt.Errorf("read release %s: %w", name, err)
	}
	if accessor.Status() != common.StatusDeployed.String() {
		return ReleaseStatus{State: Interrupted}, nil
	}
	workloads, err := Workloads(accessor.Manifest())
	if err != nil {
		return ReleaseStatus{}, fmt.Errorf("read the manifest of release %s: %w", name, err)
	}
	return ReleaseStatus{State: Deployed, Workloads: workloads}, nil
}

// Install creates the objects of the chart. It does not wait for readiness.
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
	install.PostRenderer = rendererOf(order, c.namespace)
	if _, err := install.RunWithContext(ctx, order.Chart.Helm(), order.Values); err != nil {
		return fmt.Errorf("install chart %s as %s: %w", order.Chart.Name(), order.Release, err)
	}
	return nil
}

// Uninstall deletes the objects of the release. It does not wait for their end. An absent release is no error.
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

// RenderVersion is the Kubernetes version with which charts are rendered without a cluster: the oldest that they support.
// An installation uses the cluster's version.
const RenderVersion = "v1.33.0"

// Render renders the chart's manifest without a cluster.
func Render(ctx context.Context, order Order, namespace string) (string, error) {
	install := action.NewInstall(action.NewConfiguration())
	install.ReleaseName = order.Release
	install.Namespace = namespace
	install.DryRunStrategy = action.DryRunClient
	version, err := chartcommon.ParseKubeVersion(RenderVersion)
	if err != nil {
		return "", fmt.Errorf("read the version %s: %w", RenderVersion, err)
	}
	install.KubeVersion = version
	install.PostRenderer = rendererOf(order, namespace)
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

// refusal matches Helm's prefix of a message from a template's fail function.
var refusal = regexp.MustCompile(`^execution error at \([^)]*\): `)

// renderError returns the error of a chart that rejects its values. It contains only the chart's message: the position
// in the template does not help the user.
func renderError(chart string, err error) error {
	if refused := (problem.Problem{}); errors.As(err, &refused) {
		return refused
	}
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
