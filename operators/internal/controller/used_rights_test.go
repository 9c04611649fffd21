package controller_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	releasev1 "helm.sh/helm/v4/pkg/release/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/sets"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/controller"
	"ringside.dev/ringside/operators/internal/operator"
	"ringside.dev/ringside/operators/internal/storechart"
)

const (
	ourCharts       = "../../../charts"
	operatorAccount = "ringside-operator"
)

// usedElsewhere returns the rights that no run of these tests uses, and the code that does.
func usedElsewhere(t *testing.T) map[string]string {
	all := map[string]string{
		"create leases.coordination.k8s.io":           "leader election: TestASecondOperatorWaitsUntilTheFirstHasEnded",
		"get leases.coordination.k8s.io":              "the same",
		"update leases.coordination.k8s.io":           "the same",
		"create events":                               "the same: who leads",
		"patch events":                                "the same, said again",
		"create events.events.k8s.io":                 "events of runs, which the tests' recorder keeps",
		"patch events.events.k8s.io":                  "the same, said again",
		"update experiments.ringside.dev/finalizers":  "who makes an object with an owner must have it where OwnerReferencesPermissionEnforcement is on",
		"update measurements.ringside.dev/finalizers": "the same",
	}
	kinds, err := operator.StoreKinds(t.Context(), storechart.NewCatalogue(ourCharts))
	require.NoError(t, err)
	for _, kind := range kinds {
		all["create "+resourceOf(kind)] = "Helm applies, which is a patch; who makes an object by one must have it"
	}
	delete(all, "create configmaps") // for Helm's records, which it creates
	return all
}

func resourceOf(kind schema.GroupVersionKind) string {
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return plural.GroupResource().String()
}

// Every right is used by a step: an unused one would only help an attacker.
func TestTheOperatorUsesEveryRightThatItHas(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	granted := h.grant()
	used := &usedRights{all: map[string]bool{}}
	config := rest.CopyConfig(cluster)
	config.Impersonate = rest.ImpersonationConfig{UserName: "system:serviceaccount:" + h.namespace + ":" + operatorAccount,
		Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + h.namespace, "system:authenticated"}}
	config.Wrap(used.record)
	h.operateAs(config)
	h.awaitRights(config)

	h.watchAs(config)
	h.installEveryStore(config)
	h.world.noPods = "exceeded quota"
	stuck := h.create(func(e *v1beta1.Experiment) { e.Name, e.Spec.MaxAttempts = "stuck", 1 })
	h.run(stuck)
	h.world.noPods = ""
	h.world.noVolumes = true
	classless := h.create(func(e *v1beta1.Experiment) { e.Name = "classless" })
	h.run(classless)
	h.world.noVolumes = false
	paused := h.create(func(e *v1beta1.Experiment) {
		e.Name = "paused"
		onePause(e)
	})
	require.Zero(t, h.run(paused).Status.Invalid, h.describe(paused))
	experiment := h.create(func(e *v1beta1.Experiment) { e.Spec.TTLAfterFinished = &metav1.Duration{Duration: time.Second} })
	done := h.run(experiment)
	require.Equal(t, int32(2), done.Status.Finished, h.describe(experiment))
	metav1.SetMetaDataAnnotation(&done.ObjectMeta, v1beta1.AnnotationExportedEnd, v1beta1.ExportMark(*done.Status.FinishedAt))
	require.NoError(t, h.client.Update(h.ctx, done))
	h.until(experiment, func() bool {
		return apierrors.IsNotFound(h.client.Get(h.ctx, client.ObjectKeyFromObject(experiment), &v1beta1.Experiment{}))
	})

	unused := slices.DeleteFunc(slices.Sorted(maps.Keys(granted)), func(right string) bool { return used.has(right) })
	assert.ElementsMatch(t, slices.Collect(maps.Keys(usedElsewhere(t))), unused, "a right that nothing uses is taken out of charts/ringside/templates/role-operator.yaml")
}

// operateAs runs the operator with an account of the cluster. Logs are first requested with that account, then read
// from the world.
func (h *harness) operateAs(config *rest.Config) {
	scheme, err := operator.Scheme()
	require.NoError(h.t, err)
	writer, err := client.New(config, client.Options{Scheme: scheme})
	require.NoError(h.t, err)
	releases, err := storechart.NewClient(config, h.namespace, slog.DiscardHandler)
	require.NoError(h.t, err)
	clientset, err := kubernetes.NewForConfig(config)
	require.NoError(h.t, err)
	h.operateWith(writer, releases)
	h.reconciler.Reader = bornReader{writer, h}
	h.reconciler.Logs = triedLogs{controller.ClusterLogs{Kubernetes: clientset}, h.world}
}

// triedLogs requests logs from the API server, which has no kubelet to ask, and then reads them from the world.
type triedLogs struct {
	tried controller.ClusterLogs
	*world
}

func (l triedLogs) Open(ctx context.Context, pod corev1.Pod, options corev1.PodLogOptions) (io.ReadCloser, error) {
	if stream, err := l.tried.Open(ctx, pod, options); err == nil {
		_ = stream.Close()
	}
	return l.world.Open(ctx, pod, options)
}

// watchAs watches as the operator's cache does.
func (h *harness) watchAs(config *rest.Config) {
	scheme, err := operator.Scheme()
	require.NoError(h.t, err)
	options := controller.CacheOptions(h.namespace)
	options.Scheme = scheme
	watching, err := cache.New(config, options)
	require.NoError(h.t, err)
	ctx, stop := context.WithCancel(h.ctx)
	ended := make(chan struct{})
	go func() {
		_ = watching.Start(ctx)
		close(ended)
	}()
	for _, object := range append(controller.Watched(), &v1beta1.Experiment{}, &v1beta1.Measurement{}, &v1beta1.MeasurementPart{}, &corev1.Namespace{}) {
		_, err := watching.GetInformer(ctx, object)
		require.NoError(h.t, err)
	}
	require.True(h.t, watching.WaitForCacheSync(ctx), "what was asked for before the start was not waited for: stopped at once, an informer may never ask")
	stop()
	<-ended
}

// installEveryStore installs and removes every store that the operator carries.
func (h *harness) installEveryStore(config *rest.Config) {
	releases, err := storechart.NewClient(config, h.namespace, slog.DiscardHandler)
	require.NoError(h.t, err)
	catalogue := storechart.NewCatalogue(ourCharts)
	stores, err := catalogue.Stores()
	require.NoError(h.t, err)
	for _, store := range stores {
		chart, err := catalogue.Open(store)
		require.NoError(h.t, err)
		require.NoError(h.t, releases.Install(h.ctx, storechart.Order{Release: "try-" + store, Chart: chart, Values: map[string]any{}}), store)
		require.NoError(h.t, releases.Uninstall(h.ctx, "try-"+store), store)
	}
}

// grant grants the operator's account in the harness's namespace the rights of its chart, and returns them as "verb
// resource.group".
func (h *harness) grant() map[string]bool {
	loaded, err := loader.LoadDir(filepath.Join(ourCharts, "ringside"))
	require.NoError(h.t, err)
	install := action.NewInstall(action.NewConfiguration())
	install.ReleaseName, install.Namespace, install.DryRunStrategy = "ringside", h.namespace, action.DryRunClient
	install.KubeVersion, err = common.ParseKubeVersion(storechart.RenderVersion)
	require.NoError(h.t, err)
	done, err := install.RunWithContext(h.ctx, loaded, map[string]any{"leaderElection": map[string]any{"enabled": true}})
	require.NoError(h.t, err)
	granted := map[string]bool{}
	documents := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(done.(*releasev1.Release).Manifest), 4096)
	for {
		object := &unstructured.Unstructured{}
		if err := documents.Decode(&object.Object); errors.Is(err, io.EOF) {
			return granted
		} else {
			require.NoError(h.t, err)
		}
		if object.GroupVersionKind().Group != rbacv1.GroupName || !strings.HasPrefix(object.GetName(), operatorAccount) {
			continue
		}
		if !strings.HasPrefix(object.GetKind(), "Cluster") {
			object.SetNamespace(h.namespace)
		} else {
			h.t.Cleanup(func() { _ = h.client.Delete(context.Background(), object) })
		}
		require.NoError(h.t, h.client.Create(h.ctx, object))
		var role rbacv1.ClusterRole
		require.NoError(h.t, runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &role))
		for _, rule := range role.Rules {
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					for _, verb := range rule.Verbs {
						granted[rightTo(verb, group, resource)] = true
					}
				}
			}
		}
	}
}

// awaitRights waits until the granted rights are in effect.
func (h *harness) awaitRights(config *rest.Config) {
	c, err := client.New(config, client.Options{})
	require.NoError(h.t, err)
	require.EventuallyWithT(h.t, func(t *assert.CollectT) {
		assert.NoError(t, c.List(h.ctx, &corev1.NodeList{}))
		assert.NoError(t, c.List(h.ctx, &corev1.PodList{}, client.InNamespace(h.namespace)))
	}, 2*time.Minute, 100*time.Millisecond)
}

func rightTo(verb, group, resource string) string {
	name, sub, isSub := strings.Cut(resource, "/")
	if group != "" {
		name += "." + group
	}
	if isSub {
		name += "/" + sub
	}
	return verb + " " + name
}

// usedRights records the rights that the sent requests need.
type usedRights struct {
	mu  sync.Mutex
	all map[string]bool
}

func (u *usedRights) has(right string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.all[right]
}

func (u *usedRights) record(next http.RoundTripper) http.RoundTripper {
	infos := &request.RequestInfoFactory{APIPrefixes: map[string]sets.Empty{"api": {}, "apis": {}}, GrouplessAPIPrefixes: map[string]sets.Empty{"api": {}}}
	return recorded(func(r *http.Request) (*http.Response, error) {
		if info, err := infos.NewRequestInfo(r); err == nil && info.IsResourceRequest {
			resource := info.Resource
			if info.Subresource != "" {
				resource += "/" + info.Subresource
			}
			u.mu.Lock()
			u.all[rightTo(info.Verb, info.APIGroup, resource)] = true
			if r.URL.Query().Has("sendInitialEvents") { // a list, which an old API server cannot stream
				u.all[rightTo("list", info.APIGroup, resource)] = true
			}
			u.mu.Unlock()
		}
		return next.RoundTrip(r)
	})
}

type recorded func(*http.Request) (*http.Response, error)

func (r recorded) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }
