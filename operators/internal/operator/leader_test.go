package operator

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"ringside.dev/ringside/operators/apiserver"
)

// candidate is an operator without reconcilers. Like a controller, it begins when it leads.
type candidate struct {
	leads chan struct{}
	ended chan error
	stop  context.CancelFunc
	// asked counts the requests for the lease.
	asked atomic.Int64
}

func startCandidate(t *testing.T, config *rest.Config) *candidate {
	t.Helper()
	c := &candidate{leads: make(chan struct{}), ended: make(chan error, 1)}
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(request)
			if strings.HasSuffix(request.URL.Path, "/leases/"+leaderLease) {
				c.asked.Add(1)
			}
			return response, err
		})
	})
	operator, err := newManager(config, Options{Namespace: runsNamespace, LeaderElection: true, MetricsAddress: "0", HealthAddress: "0"})
	require.NoError(t, err)
	require.NoError(t, operator.Add(manager.RunnableFunc(func(ctx context.Context) error {
		close(c.leads)
		<-ctx.Done()
		return nil
	})))
	ctx, stop := context.WithCancel(t.Context())
	c.stop = stop
	go func() { c.ended <- operator.Start(ctx) }()
	return c
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

// With only the rights of the chart's account.
func TestASecondOperatorWaitsUntilTheFirstHasEnded(t *testing.T) {
	config, admin := apiServer(t)
	account := as(config, runsNamespace, "ringside-operator", nil)
	first := startCandidate(t, account)
	within(t, first.leads, "the only operator leads")
	second := startCandidate(t, account)
	require.Eventually(t, func() bool { return second.asked.Load() >= 2 }, rightsPatience, rightsInterval)
	select {
	case <-second.leads:
		t.Fatal("two operators lead")
	default:
	}

	first.stop()
	assert.NoError(t, within(t, first.ended, "the first ends"))
	within(t, second.leads, "the second leads as soon as the first has ended")

	// An operator that has lost the lease must not continue: another one may have begun.
	key := client.ObjectKey{Namespace: runsNamespace, Name: leaderLease}
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		var lease coordinationv1.Lease
		require.NoError(c, admin.Get(t.Context(), key, &lease))
		usurper, now := "usurper", metav1.NewMicroTime(time.Now())
		lease.Spec.HolderIdentity, lease.Spec.RenewTime, lease.Spec.AcquireTime = &usurper, &now, &now
		require.NoError(c, admin.Update(t.Context(), &lease))
	}, rightsPatience, rightsInterval)
	assert.ErrorContains(t, within(t, second.ended, "the second ends"), "leader election lost")
}

func within[T any](t *testing.T, happens <-chan T, what string) T {
	t.Helper()
	select {
	case value := <-happens:
		return value
	case <-time.After(rightsPatience):
		t.Fatalf("not within %s: %s", rightsPatience, what)
		panic("unreachable")
	}
}

func TestCommandLineNamesWhatIsWrong(t *testing.T) {
	t.Setenv("POD_NAMESPACE", "")
	stores := "--charts-dir=../storechart/testdata/charts"
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"--meter-image=m", stores}, "--namespace (or POD_NAMESPACE) is missing"},
		{[]string{"--namespace=n", stores}, "--meter-image is missing"},
		{[]string{"--namespace=n", "--meter-image=m", stores, "--image-pull-policy=Sometimes"}, `--image-pull-policy is "Sometimes", use Always, IfNotPresent or Never`},
		{[]string{"--namespace=n", "--meter-image=m", "--charts-dir=nowhere"}, "--charts-dir nowhere: "},
		{[]string{"--namespace=n", "--meter-image=m", "--charts-dir=../storechart/testdata/charts/plain"}, "has no store chart"},
		{[]string{"--namespace=n", "--meter-image=m", stores, "--loads-dir=nowhere"}, "--loads-dir nowhere has no load"},
		{[]string{"extra"}, `unexpected argument "extra"`},
	} {
		t.Run(fmt.Sprint(test.args), func(t *testing.T) {
			_, err := ParseOptions(test.args)
			assert.ErrorContains(t, err, test.says)
		})
	}
	options, err := ParseOptions([]string{"--namespace=n", "--meter-image=m", stores, "--loads-dir=../../../images", "--image-pull-secrets=a", "--image-pull-secrets=b",
		"--store-charts=oci://a.example/x", "--store-charts=oci://b.example", "--store-chart-mirrors=a.example=10.0.0.1:5000"})
	assert.NoError(t, err)
	assert.Equal(t, []string{"oci://a.example/x", "oci://b.example"}, options.StoreCharts)
	assert.Equal(t, map[string]string{"a.example": "10.0.0.1:5000"}, options.StoreMirrors)
	assert.Equal(t, []string{"a", "b"}, options.Images.PullSecrets)
}

const (
	// rightsPatience is generous for a busy machine.
	rightsPatience = 2 * time.Minute
	// rightsInterval is the polling interval: granted rights take effect with a delay.
	rightsInterval = 100 * time.Millisecond
	// The namespaces of the operator with its loads and stores, of Prometheus and Grafana, and one that none of them
	// may use.
	runsNamespace, watchNamespace, otherNamespace = "runs", "watch", "elsewhere"
)

// shared is the API server of the package's tests. The first test that needs it starts it.
var shared struct {
	once        sync.Once
	environment *envtest.Environment
	config      *rest.Config
	err         error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.environment != nil {
		if err := shared.environment.Stop(); err != nil {
			fmt.Fprintf(os.Stderr, "stop the API server: %v\n", err)
		}
	}
	os.Exit(code)
}

// apiServer returns a real API server with the CRDs, and every account, right and policy of our charts.
func apiServer(t *testing.T) (*rest.Config, client.Client) {
	t.Helper()
	scheme, err := Scheme()
	require.NoError(t, err)
	shared.once.Do(func() {
		shared.environment = &envtest.Environment{CRDDirectoryPaths: []string{charts + "/ringside/files/crds"},
			ErrorIfCRDPathMissing: true, ControlPlaneStartTimeout: rightsPatience, ControlPlaneStopTimeout: rightsPatience}
		if shared.config, shared.err = apiserver.Start(shared.environment); shared.err != nil {
			return
		}
		shared.config.QPS, shared.config.Burst = 500, 1000
		admin, err := client.New(shared.config, client.Options{Scheme: scheme})
		require.NoError(t, err)
		for _, name := range []string{runsNamespace, watchNamespace, otherNamespace} {
			require.NoError(t, admin.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
				Name: name, Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}}}))
		}
		for _, chart := range ourCharts(t) {
			for _, object := range accountsAndRights(renderedWithRights(t, chart)) {
				require.NoError(t, admin.Create(t.Context(), object), "%s: %s %s", chart, object.GetKind(), object.GetName())
			}
		}
	})
	require.NoError(t, shared.err)
	admin, err := client.New(shared.config, client.Options{Scheme: scheme})
	require.NoError(t, err)
	return shared.config, admin
}

// as returns the configuration of a pod with the account's token.
func as(config *rest.Config, namespace, account string, extra map[string][]string) *rest.Config {
	out := rest.CopyConfig(config)
	out.Impersonate = rest.ImpersonationConfig{
		UserName: "system:serviceaccount:" + namespace + ":" + account,
		Groups:   []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"},
		Extra:    extra,
	}
	return out
}
