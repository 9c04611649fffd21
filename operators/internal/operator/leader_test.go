package operator

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
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
