package controller_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/transport"
	clocktesting "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/apiserver"
	"ringside.dev/ringside/operators/internal/controller"
	"ringside.dev/ringside/operators/internal/operator"
	"ringside.dev/ringside/operators/internal/storechart"
)

const (
	crds       = "../../../charts/ringside/files/crds"
	testCharts = "../storechart/testdata/charts"
)

// cluster is the real API server of the suite. Harnesses share its client.
var (
	cluster *rest.Config
	shared  client.WithWatch
	kept    = newUnchanged()
)

// atOnce is the number of tests that run at a time. They wait for answers of the API server more than they compute, and
// each has a namespace and a clock of its own.
const atOnce = "8"

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	if err := flag.Set("test.parallel", atOnce); err != nil { // -parallel of the command line replaces it
		fmt.Fprintf(os.Stderr, "set the number of tests at a time: %v\n", err)
		os.Exit(1)
	}
	os.Exit(runSuite(m))
}

func runSuite(m *testing.M) int {
	environment := &envtest.Environment{CRDDirectoryPaths: []string{crds}, ErrorIfCRDPathMissing: true}
	var err error
	if cluster, shared, err = startServer(environment, kept.transport); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = environment.Stop() }()
	if err := makeNodes(shared); err != nil {
		fmt.Fprintf(os.Stderr, "make nodes: %v\n", err)
		return 1
	}
	return m.Run()
}

// startServer starts an API server for harnesses, whose requests go through the wrapped transport.
func startServer(environment *envtest.Environment, wrap transport.WrapperFunc) (*rest.Config, client.WithWatch, error) {
	// No data have to survive a loss of power.
	environment.ControlPlane.Etcd = &envtest.Etcd{}
	environment.ControlPlane.Etcd.Configure().Set("unsafe-no-fsync", "true")
	// Lists come from etcd. The watch cache would make each wait until it has seen all earlier writes of other kinds.
	environment.ControlPlane.GetAPIServer().Configure().Set("watch-cache", "false")
	config, err := apiserver.Start(environment)
	if err != nil {
		return nil, nil, fmt.Errorf("start the API server: %w", err)
	}
	config.QPS = -1 // no limit
	config.Wrap(wrap)
	scheme, err := operator.Scheme()
	if err != nil {
		return nil, nil, err
	}
	c, err := client.NewWithWatch(config, client.Options{Scheme: scheme})
	return config, c, err
}

// harness is an operator and a world in their own namespace.
type harness struct {
	t          *testing.T
	ctx        context.Context
	client     client.Client
	clock      *clocktesting.FakePassiveClock
	world      *world
	cache      *laggingClient
	releases   controller.Releases
	reconciler *controller.Reconciler
	events     *events.FakeRecorder
	namespace  string
	// born has the creation times of objects by the harness's clock.
	born map[types.UID]metav1.Time
}

func newHarness(t *testing.T) *harness {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "run-"}}
	require.NoError(t, shared.Create(t.Context(), namespace))
	require.NoError(t, shared.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: namespace.Name}}))
	return newHarnessIn(t, cluster, shared, namespace.Name)
}

// newHarnessIn returns a harness in a namespace of an API server.
func newHarnessIn(t *testing.T, config *rest.Config, c client.WithWatch, namespace string) *harness {
	t.Helper()
	releases, err := storechart.NewClient(config, namespace, slog.DiscardHandler)
	require.NoError(t, err)
	h := &harness{t: t, ctx: t.Context(), client: c, namespace: namespace, releases: releases,
		clock: clocktesting.NewFakePassiveClock(time.Now().Truncate(time.Second)), events: events.NewFakeRecorder(10000), born: map[types.UID]metav1.Time{}}
	h.world = newWorld(t, c, namespace, h.clock.Now)
	t.Cleanup(func() { kept.forget(namespace) })
	h.restart()
	return h
}

// makeNodes creates the nodes for stores and loads.
func makeNodes(c client.Client) error {
	for _, name := range []string{"node1", "node2", "load1", "load2"} {
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{v1beta1.LabelDisk: "ssd"}}}
		if err := c.Create(context.Background(), node); err != nil {
			return err
		}
		node.Spec.Taints = nil // set by the API server until a kubelet reports
		if err := c.Update(context.Background(), node); err != nil {
			return err
		}
		node.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
		if err := c.Status().Update(context.Background(), node); err != nil {
			return err
		}
	}
	return nil
}

// restart replaces the operator by a new one, which has only the objects that the old one wrote.
func (h *harness) restart() { h.operateWith(h.client, h.releases) }

// operateWith starts an operator that writes through the given client, and has a cache that lags.
func (h *harness) operateWith(c client.Client, releases controller.Releases) {
	h.cache = newLaggingClient(h, c)
	h.reconciler = &controller.Reconciler{
		Client: h.cache, Reader: bornReader{h.client, h}, Releases: releases, Logs: h.world,
		Catalogue:  storechart.NewCatalogue(testCharts),
		Images:     storechart.Images{Registry: "registry.example", Tag: "test", PullPolicy: "Never"},
		MeterImage: "registry.example/ringside-operator:test",
		Recorder:   h.events, Clock: h.clock,
		NewSeed: func() int64 { return 7 },
	}
}

// step runs one Reconcile of the experiment and one turn of the world.
func (h *harness) step(experiment *v1beta1.Experiment) error {
	err := h.stepAlone(experiment)
	h.world.turn(h.ctx)
	return err
}

// stepAlone runs one Reconcile of the experiment without a turn of the world.
func (h *harness) stepAlone(experiment *v1beta1.Experiment) error {
	_, err := h.reconciler.Reconcile(h.ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(experiment)})
	h.cache.tick()
	h.clock.SetTime(h.clock.Now().Add(time.Second))
	return err
}

// until steps until the condition holds.
func (h *harness) until(experiment *v1beta1.Experiment, holds func() bool) {
	h.t.Helper()
	for range 1000 {
		if holds() {
			return
		}
		require.NoError(h.t, h.step(experiment))
	}
	h.t.Fatalf("after 1000 steps: %s", h.describe(experiment))
}

// run runs the experiment to its end.
func (h *harness) run(experiment *v1beta1.Experiment) *v1beta1.Experiment {
	h.t.Helper()
	h.until(experiment, func() bool { return h.get(experiment).Status.FinishedAt != nil })
	return h.get(experiment)
}

func (h *harness) get(experiment *v1beta1.Experiment) *v1beta1.Experiment {
	h.t.Helper()
	out := &v1beta1.Experiment{}
	require.NoError(h.t, h.client.Get(h.ctx, client.ObjectKeyFromObject(experiment), out))
	return out
}

func (h *harness) measurements() []v1beta1.Measurement {
	return list(h.ctx, h.world, &v1beta1.MeasurementList{}).Items
}

func (h *harness) parts() []v1beta1.MeasurementPart {
	return list(h.ctx, h.world, &v1beta1.MeasurementPartList{}).Items
}

func (h *harness) measurement(name string) *v1beta1.Measurement {
	out := &v1beta1.Measurement{}
	if err := h.client.Get(h.ctx, client.ObjectKey{Namespace: h.namespace, Name: name}, out); err != nil {
		return nil
	}
	return out
}

func (h *harness) describe(experiment *v1beta1.Experiment) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%+v\n", h.get(experiment).Status)
	for _, m := range h.measurements() {
		fmt.Fprintf(&text, "%s: attempt %d, parts %+v, conditions %+v, failures %+v\n", m.Name, m.Status.Attempt, m.Status.Parts, m.Status.Conditions, m.Status.Failures)
	}
	for _, p := range h.parts() {
		fmt.Fprintf(&text, "%s: %+v\n", p.Name, p.Part)
	}
	return text.String()
}

// create creates an experiment with one server, one write and one read, modified by change.
func (h *harness) create(change func(*v1beta1.Experiment)) *v1beta1.Experiment {
	h.t.Helper()
	experiment, err := h.tryCreate(change)
	require.NoError(h.t, err)
	return experiment
}

// tryCreate is create where the API server may reject the experiment.
func (h *harness) tryCreate(change func(*v1beta1.Experiment)) (*v1beta1.Experiment, error) {
	operations := int64(1000)
	experiment := &v1beta1.Experiment{
		ObjectMeta: metav1.ObjectMeta{Name: "quorum", Namespace: h.namespace, Labels: map[string]string{
			v1beta1.LabelExperiment: "quorum", v1beta1.LabelRun: "20261121-001500"}},
		Spec: v1beta1.ExperimentSpec{
			Store:       v1beta1.StoreSpec{Chart: "ledger", Hosting: v1beta1.HostingDedicated, ReadyTimeout: metav1.Duration{Duration: 5 * time.Minute}},
			Servers:     []v1beta1.ServerSpec{{Name: "disruptor"}},
			Load:        v1beta1.LoadSpec{Image: "stress", Pods: 1, Timeout: metav1.Duration{Duration: time.Hour}},
			Phases:      []v1beta1.PhaseSpec{{Name: "write", Repeats: 1, Threads: 10}, {Name: "read", Repeats: 1, Threads: 10}},
			Operations:  &operations,
			Rounds:      1,
			MaxAttempts: 2,
		},
	}
	if change != nil {
		change(experiment)
	}
	return experiment, h.client.Create(h.ctx, experiment)
}

// nothingLeft requires that the store and the load have been removed.
func (h *harness) nothingLeft() {
	h.t.Helper()
	h.world.turn(h.ctx)
	require.Empty(h.t, list(h.ctx, h.world, &corev1.PersistentVolumeClaimList{}).Items, "volume claims")
	for _, pod := range list(h.ctx, h.world, &corev1.PodList{}).Items {
		require.NotEqual(h.t, v1beta1.StoreComponent, pod.Labels["app.kubernetes.io/component"], pod.Name)
	}
	require.Empty(h.t, list(h.ctx, h.world, &corev1.ServiceList{}).Items, "services")
	for _, config := range list(h.ctx, h.world, &corev1.ConfigMapList{}).Items {
		require.NotContains(h.t, config.Name, "sh.helm.release", "Helm's record")
	}
}

// errKilled is the error that a killed operator gets for its last write and all later ones.
var errKilled = errors.New("killed")

// mortal kills an operator after a number of writes. The operator gets an error for the last write, which was executed,
// and all later ones fail.
type mortal struct {
	left int
	dead bool
}

// write executes one write of a mortal operator.
func (m *mortal) write(do func() error) error {
	if m.dead {
		return errKilled
	}
	if m.left--; m.left > 0 {
		return do()
	}
	m.dead = true
	_ = do()
	return errKilled
}

// mortalClient returns a client whose operator is killed with m.
func (h *harness) mortalClient(m *mortal) client.Client {
	return interceptor.NewClient(shared, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.CreateOption) error {
			return m.write(func() error { return c.Create(ctx, o, options...) })
		},
		Delete: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.DeleteOption) error {
			return m.write(func() error { return c.Delete(ctx, o, options...) })
		},
		DeleteAllOf: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.DeleteAllOfOption) error {
			return m.write(func() error { return c.DeleteAllOf(ctx, o, options...) })
		},
		Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch, options ...client.PatchOption) error {
			return m.write(func() error { return c.Patch(ctx, o, p, options...) })
		},
		SubResourcePatch: func(ctx context.Context, c client.Client, name string, o client.Object, p client.Patch, options ...client.SubResourcePatchOption) error {
			return m.write(func() error { return c.SubResource(name).Patch(ctx, o, p, options...) })
		},
	})
}

// mortalReleases does the same for Helm.
type mortalReleases struct {
	controller.Releases
	m *mortal
}

func (r mortalReleases) Install(ctx context.Context, order storechart.Order) error {
	return r.m.write(func() error { return r.Releases.Install(ctx, order) })
}

func (r mortalReleases) Uninstall(ctx context.Context, name string) error {
	return r.m.write(func() error { return r.Releases.Uninstall(ctx, name) })
}
