package operator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"

	"github.com/go-logr/logr"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	ctrlmanager "sigs.k8s.io/controller-runtime/pkg/manager"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	corev1 "k8s.io/api/core/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/controller"
	"ringside.dev/ringside/operators/internal/loadgen"
	apiclock "ringside.dev/ringside/operators/internal/meter/clock"
	"ringside.dev/ringside/operators/internal/storechart"
)

// leaderLease is the name of the lease by which one operator per namespace becomes the leader.
const leaderLease = "ringside-operator"

// Main runs the operator until the context ends, or, with the argument check, verifies the cluster for it.
func Main(ctx context.Context, args []string, out io.Writer) error {
	err := error(nil)
	if len(args) > 0 && args[0] == "check" {
		err = Check(ctx, args[1:], out)
	} else {
		err = Run(ctx, args)
	}
	if errors.Is(err, pflag.ErrHelp) {
		return nil
	}
	return err
}

// Run runs the operator until the context ends.
func Run(ctx context.Context, args []string) error {
	options, err := ParseOptions(args)
	if err != nil {
		return err
	}
	logs := logHandler(options)
	ctrl.SetLogger(logr.FromSlogHandler(logs))
	klog.SetLogger(logr.FromSlogHandler(logs))
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("find the cluster: %w", err)
	}
	manager, err := newManager(config, options)
	if err != nil {
		return err
	}
	if err := setup(manager, options, logs); err != nil {
		return err
	}
	if err := manager.Start(ctx); err != nil {
		return fmt.Errorf("run the manager: %w", err)
	}
	return nil
}

// Scheme returns a scheme with all types that the operator reads and writes.
func Scheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	if err := errors.Join(clientgoscheme.AddToScheme(scheme), v1beta1.AddToScheme(scheme)); err != nil {
		return nil, fmt.Errorf("register the API types: %w", err)
	}
	return scheme, nil
}

func newManager(config *rest.Config, options Options) (ctrl.Manager, error) {
	scheme, err := Scheme()
	if err != nil {
		return nil, err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		Cache:                         controller.CacheOptions(options.Namespace),
		Client:                        client.Options{Cache: &client.CacheOptions{DisableFor: []client.Object{&corev1.Node{}, &corev1.ConfigMap{}}}},
		Metrics:                       metricsserver.Options{BindAddress: options.MetricsAddress},
		HealthProbeBindAddress:        options.HealthAddress,
		LeaderElection:                options.LeaderElection,
		LeaderElectionID:              leaderLease,
		LeaderElectionNamespace:       options.Namespace,
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return nil, fmt.Errorf("make the manager: %w", err)
	}
	return manager, nil
}

func setup(manager ctrl.Manager, options Options, logs slog.Handler) error {
	clientset, err := kubernetes.NewForConfig(manager.GetConfig())
	if err != nil {
		return fmt.Errorf("make a Kubernetes client: %w", err)
	}
	releases, err := storechart.NewClient(manager.GetConfig(), options.Namespace, logs)
	if err != nil {
		return err
	}
	watch, err := watchClock(manager)
	if err != nil {
		return err
	}
	reconciler := &controller.Reconciler{
		Client:              manager.GetClient(),
		Reader:              manager.GetAPIReader(),
		Releases:            releases,
		Logs:                controller.ClusterLogs{Kubernetes: clientset},
		Catalogue:           options.catalogue(),
		Loads:               loadgen.NewCatalogue(options.LoadsDir),
		Images:              options.Images,
		MeterImage:          options.MeterImage,
		SeesOtherNamespaces: options.OtherRuns,
		Recorder:            manager.GetEventRecorder("ringside-operator"),
		Clock:               clock.RealClock{},
		APIClock:            watch.Estimate,
		NewSeed:             func() int64 { return rand.Int64N(1 << 31) },
	}
	if err := reconciler.SetupWithManager(manager); err != nil {
		return fmt.Errorf("set up the controller: %w", err)
	}
	if err := ctrlmetrics.Registry.Register(controller.NewMetrics(manager.GetClient(), clock.RealClock{})); err != nil {
		return fmt.Errorf("register the metrics: %w", err)
	}
	return errors.Join(manager.AddHealthzCheck("ping", healthz.Ping), manager.AddReadyzCheck("ping", healthz.Ping))
}

// watchClock compares the operator's clock with the API server's while the manager runs.
func watchClock(manager ctrl.Manager) (*apiclock.Watch, error) {
	watch := &apiclock.Watch{}
	url, _, err := rest.DefaultServerUrlFor(manager.GetConfig())
	if err != nil {
		return nil, fmt.Errorf("find the API server: %w", err)
	}
	err = manager.Add(ctrlmanager.RunnableFunc(func(ctx context.Context) error {
		watch.Run(ctx, manager.GetHTTPClient(), url.JoinPath("version").String())
		return nil
	}))
	if err != nil {
		return nil, fmt.Errorf("compare clocks with the API server: %w", err)
	}
	return watch, nil
}

func logHandler(options Options) slog.Handler {
	level := slog.LevelInfo
	if options.Verbose {
		level = slog.LevelDebug
	}
	return slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level})
}
