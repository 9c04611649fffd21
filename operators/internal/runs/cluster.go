// Package runs creates runs in a cluster, follows them, reads their results and removes them. It uses only a Kubernetes
// client, and therefore works with any cluster.
package runs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/discovery"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/textfmt"
)

// Cluster is a cluster and the namespace of its runs.
type Cluster struct {
	client    client.WithWatch
	namespace string
	// name is the server's address, for messages.
	name string
}

// New returns a Cluster that uses the given client. name is the name of the cluster in messages.
func New(c client.WithWatch, namespace, name string) *Cluster {
	return &Cluster{client: c, namespace: namespace, name: name}
}

// Namespace returns the namespace of the runs.
func (c *Cluster) Namespace() string { return c.namespace }

// Scheme returns a scheme with all kinds that this package uses.
func Scheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(v1beta1.AddToScheme(scheme))
	return scheme
}

const (
	fixCluster  = "make cluster-up starts the embedded cluster; KUBECONFIG, --kubeconfig and --context choose another"
	fixOperator = "make install installs it (on your own cluster: helm install ringside charts/ringside)"
)

func unavailable(what, fix string) error {
	return problem.Problem{Reason: problem.ClusterUnavailable, What: what, Fix: fix}
}

// requestTimeout bounds single requests, so that an unreachable cluster is reported within seconds.
const requestTimeout = 10 * time.Second

// Config reads the kubeconfig. An empty path means $KUBECONFIG, then the default file. It sends no request.
func Config(kubeconfig, contextName string) (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: contextName})
	config, err := loader.ClientConfig()
	if clientcmd.IsEmptyConfig(err) { // its own message suggests an environment variable that does not apply here
		return nil, unavailable("no cluster is configured", fixCluster)
	}
	if err != nil {
		return nil, unusable(err)
	}
	config.QPS = -1 // no client-side limit: the server has one, and reading a run's logs takes hundreds of requests
	return config, nil
}

// Connect returns a client of the kubeconfig's cluster. It sends no request.
func Connect(kubeconfig, contextName, namespace string) (*Cluster, error) {
	config, err := Config(kubeconfig, contextName)
	if err != nil {
		return nil, err
	}
	c, err := client.NewWithWatch(config, client.Options{Scheme: Scheme()})
	if err != nil {
		return nil, unusableFor(config.Host, err)
	}
	return New(c, namespace, config.Host), nil
}

// Answers reports whether the cluster answers, whether or not Ringside is installed there.
func Answers(config *rest.Config) error {
	quick := rest.CopyConfig(config)
	quick.Timeout = requestTimeout
	c, err := discovery.NewDiscoveryClientForConfig(quick)
	if err != nil {
		return unusableFor(config.Host, err)
	}
	_, err = c.ServerVersion()
	return (&Cluster{name: config.Host}).explain(err)
}

// Check reports whether a run can start: the cluster can be reached, and the operator runs.
func (c *Cluster) Check(ctx context.Context) error {
	if err := c.Reach(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	return c.checkOperator(ctx)
}

// Reach reports whether runs can be read: the API server answers, serves the kinds, and has the namespace. Reading,
// exporting and removing runs does not require an operator.
func (c *Cluster) Reach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	var experiments v1beta1.ExperimentList
	if err := c.explain(c.client.List(ctx, &experiments, client.InNamespace(c.namespace), client.Limit(1))); err != nil {
		return err
	}
	var namespace corev1.Namespace
	if err := c.client.Get(ctx, client.ObjectKey{Name: c.namespace}, &namespace); apierrors.IsNotFound(err) {
		return unavailable(fmt.Sprintf("there is no namespace %s", c.namespace), fixOperator)
	}
	return nil
}

// explain converts an error of the API into one line with a fix.
func (c *Cluster) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case meta.IsNoMatchError(err) || runtime.IsNotRegisteredError(err):
		return unavailable("the cluster at "+c.name+" does not have Ringside's custom resources (CRDs)", fixOperator)
	case apierrors.IsUnauthorized(err) || apierrors.IsForbidden(err):
		return unavailable("the cluster at "+c.name+" denies access: "+textfmt.FirstLine(err), "use a context with access to namespace "+c.namespace)
	case apierrors.IsBadRequest(err) && strings.Contains(err.Error(), "strict decoding error: unknown field"):
		return unavailable("the custom resources (CRDs) of the cluster at "+c.name+" are older than this ringside, and lack a field of the experiment ("+textfmt.FirstLine(err)+")",
			"update Ringside in the cluster: make install, or ringside install")
	case errors.As(err, new(apierrors.APIStatus)) && apierrors.ReasonForError(err) != "":
		return err
	case errors.Is(err, context.Canceled):
		return err
	}
	return unavailable("the cluster at "+c.name+" does not answer ("+textfmt.FirstLine(err)+")", fixCluster)
}

// OperatorLabels returns the labels of the operator's Deployment.
func OperatorLabels() client.MatchingLabels {
	return client.MatchingLabels{"app.kubernetes.io/name": "ringside", v1beta1.LabelComponent: "operator"}
}

func (c *Cluster) checkOperator(ctx context.Context) error {
	var deployments appsv1.DeploymentList
	err := c.client.List(ctx, &deployments, OperatorLabels())
	if apierrors.IsForbidden(err) { // users may lack the right to read the operator's namespace; the run itself shows whether an operator accepts it
		return nil
	}
	if err != nil {
		return c.explain(err)
	}
	if len(deployments.Items) == 0 {
		return problem.Problem{Reason: problem.OperatorUnavailable, What: "the operator is not installed on " + c.name, Fix: fixOperator}
	}
	for _, deployment := range deployments.Items {
		if deployment.Status.AvailableReplicas > 0 {
			return nil
		}
	}
	first := deployments.Items[0]
	return problem.Problem{Reason: problem.OperatorUnavailable, What: "the operator is not running", Fix: fmt.Sprintf("see kubectl -n %s describe deployment %s", first.Namespace, first.Name)}
}
