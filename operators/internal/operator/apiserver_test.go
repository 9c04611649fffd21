package operator

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"ringside.dev/ringside/operators/apiserver"
)

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
