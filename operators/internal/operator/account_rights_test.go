package operator

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"ringside.dev/ringside/operators/internal/controller"
	"ringside.dev/ringside/operators/internal/storechart"
)

// settling is how long the API server may take to apply granted rights.
const settling = 20 * time.Second

// rights has verbs by "resource.group", followed by a name if only that object is meant.
type rights map[string][]string

func (r rights) add(verbs string, resources ...string) {
	for _, resource := range resources {
		r[resource] = append(r[resource], strings.Fields(verbs)...)
		slices.Sort(r[resource])
		r[resource] = slices.Compact(r[resource])
	}
}

func rightsTo(verbs string, resources ...string) rights {
	r := rights{}
	r.add(verbs, resources...)
	return r
}

// operatorNeeds returns the operator's rights in the namespace of the runs, each with the code that uses it.
func operatorNeeds(t *testing.T) rights {
	r := rights{}
	r.add("get list watch patch", "experiments.ringside.dev")
	r.add("delete", "experiments.ringside.dev") // an exported run after its spec.ttlAfterFinished
	r.add("get list watch create", "measurements.ringside.dev")
	r.add("list watch deletecollection", "measurementparts.ringside.dev") // reports of load pods, until they are recorded
	r.add("patch", "experiments.ringside.dev/status", "measurements.ringside.dev/status")
	r.add("update", "experiments.ringside.dev/finalizers", "measurements.ringside.dev/finalizers") // owner references
	scheme, err := Scheme()
	require.NoError(t, err)
	for _, object := range controller.Watched() {
		kinds, _, err := scheme.ObjectKinds(object)
		require.NoError(t, err)
		r.add("list watch", resourceOf(kinds[0]))
	}
	kinds, err := StoreKinds(t.Context(), storechart.NewCatalogue(charts))
	require.NoError(t, err)
	require.NotEmpty(t, kinds)
	for _, kind := range kinds {
		r.add("get create patch delete", resourceOf(kind)) // Helm
	}
	r.add("get create delete", "jobs.batch")                            // loads
	r.add("delete", "pods", "persistentvolumeclaims")                   // of a store that is removed
	r.add("get", "pods/log")                                            // proofs, logs of crashed containers
	r.add("update", "pods/ephemeralcontainers")                         // helpers of faults; a policy restricts them
	r.add("get list create update patch delete", "configmaps")          // Helm's records, logs of loads
	r.add("create patch", "events", "events.events.k8s.io")             // its own events
	r.add("list", "events")                                             // why pods cannot be created
	r.add("create", "leases.coordination.k8s.io")                       // leader election
	r.add("get update", "leases.coordination.k8s.io ringside-operator") // leader election
	r.add("list", "nodes", "storageclasses.storage.k8s.io")
	r.add("list watch", "namespaces "+runsNamespace) // whether it is being deleted
	return r
}

// The operator has rights for no other kinds, and charts of registries need none that our own stores do without.
func TestChartsOfRegistriesMayHaveTheKindsOfOurStores(t *testing.T) {
	kinds, err := StoreKinds(t.Context(), storechart.NewCatalogue(charts))
	require.NoError(t, err)
	ours := []schema.GroupKind{{Kind: "ConfigMap"}} // that of a store's settings, which only some values need
	for _, kind := range kinds {
		if !slices.Contains(ours, kind.GroupKind()) {
			ours = append(ours, kind.GroupKind())
		}
	}
	assert.ElementsMatch(t, ours, storechart.StoreKinds())
}

// accountsOf returns the accounts of our charts and their rights by place; in every other namespace they have only the
// clusterwide rights.
func accountsOf(t *testing.T) map[string]struct{ runs, watch, clusterwide rights } {
	onNodes := rightsTo("list", "nodes", "experiments.ringside.dev") // of all namespaces: runs that share a node
	onNodes.add("list", "storageclasses.storage.k8s.io")
	onNodes.add("list watch", "namespaces "+runsNamespace)
	prometheusOnNodes := rightsTo("get list watch", "nodes")
	prometheusOnNodes.add("get", "nodes/metrics")
	prometheusOnRuns := maps.Clone(prometheusOnNodes)
	prometheusOnRuns.add("get list watch", "pods")
	meter := rightsTo("get", "measurements.ringside.dev")
	meter.add("create patch", "measurementparts.ringside.dev")
	meter.add("create", "configmaps")
	nightly := rightsTo("get list watch create patch", "experiments.ringside.dev") // patch: exported, stopped
	nightly.add("get list watch", "measurements.ringside.dev", "measurementparts.ringside.dev")
	nightly.add("get", "configmaps") // logs of loads
	nightly.add("list", "events")    // of the run, for its export
	all := map[string]struct{ runs, watch, clusterwide rights }{
		"runs/ringside-operator":      {operatorNeeds(t), onNodes, onNodes},
		"runs/ringside-meter":         {meter, rights{}, rights{}},
		"runs/ringside-nightly":       {nightly, rights{}, rights{}},
		"watch/monitoring-prometheus": {prometheusOnRuns, prometheusOnNodes, prometheusOnNodes},
	}
	stores, err := storechart.NewCatalogue(charts).Stores()
	require.NoError(t, err)
	for _, store := range stores {
		all["runs/"+store] = struct{ runs, watch, clusterwide rights }{rights{}, rights{}, rights{}}
	}
	return all
}

func TestEveryAccountMayDoExactlyWhatItsCodeNeeds(t *testing.T) {
	config, _ := apiServer(t)
	known := accountsOf(t)
	var made []string
	for _, chart := range ourCharts(t) {
		for _, object := range renderedWithRights(t, chart) {
			if object.GetKind() == "ServiceAccount" {
				made = append(made, object.GetNamespace()+"/"+object.GetName())
			}
		}
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(known)), made, "every account that a chart makes is accounted for here")
	for account, wanted := range known {
		namespace, name, _ := strings.Cut(account, "/")
		for place, may := range map[string]rights{runsNamespace: wanted.runs, watchNamespace: wanted.watch, otherNamespace: wanted.clusterwide} {
			assert.EventuallyWithT(t, func(c *assert.CollectT) {
				assert.Equal(c, may, rightsOf(t, config, namespace, name, place))
			}, settling, rightsInterval, "%s in %s", account, place)
		}
	}
}

// rightsOf returns the rights of an account in a namespace, without those that every account has.
func rightsOf(t *testing.T, config *rest.Config, namespace, account, place string) rights {
	t.Helper()
	all, everyones := reviewed(t, as(config, namespace, account, nil), place), reviewed(t, as(config, namespace, "stranger", nil), place)
	for resource, verbs := range everyones {
		all[resource] = slices.DeleteFunc(all[resource], func(verb string) bool { return slices.Contains(verbs, verb) })
		if len(all[resource]) == 0 {
			delete(all, resource)
		}
	}
	return all
}

func reviewed(t *testing.T, config *rest.Config, place string) rights {
	t.Helper()
	api, err := client.New(config, client.Options{})
	require.NoError(t, err)
	review := &authorizationv1.SelfSubjectRulesReview{Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: place}}
	require.NoError(t, api.Create(t.Context(), review))
	require.False(t, review.Status.Incomplete)
	out := rights{}
	for _, rule := range review.Status.ResourceRules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				name, sub, isSub := strings.Cut(resource, "/")
				if group != "" {
					name += "." + group
				}
				if isSub {
					name += "/" + sub
				}
				if len(rule.ResourceNames) == 0 {
					out.add(strings.Join(rule.Verbs, " "), name)
				}
				for _, only := range rule.ResourceNames {
					out.add(strings.Join(rule.Verbs, " "), name+" "+only)
				}
			}
		}
	}
	return out
}

// The API server is asked about requests that an attacker with the account's token would try.
func TestWhatNoAccountMayDo(t *testing.T) {
	config, _ := apiServer(t)
	// An account that is denied everything would prove nothing.
	for account, try := range map[string]string{
		"runs/ringside-operator": "create jobs.batch", "runs/ringside-meter": "create configmaps", "watch/monitoring-prometheus": "get nodes/metrics",
		"runs/ringside-nightly": "create experiments.ringside.dev",
	} {
		require.Eventually(t, func() bool { return allowed(t, config, account, runsNamespace, try) }, settling, rightsInterval, "%s: %s", account, try)
	}
	for _, test := range []struct {
		accounts []string
		place    string
		tries    []string
	}{
		{slices.Collect(maps.Keys(accountsOf(t))), runsNamespace, []string{
			"get secrets", "list secrets", "watch secrets", "create secrets", "create pods", "create pods/exec", "get pods/exec", "create pods/attach",
			"create pods/portforward", "get pods/proxy", "patch pods/ephemeralcontainers", "create pods/eviction", "create serviceaccounts/token",
			"create roles.rbac.authorization.k8s.io", "patch roles.rbac.authorization.k8s.io", "escalate roles.rbac.authorization.k8s.io",
			"bind roles.rbac.authorization.k8s.io", "create rolebindings.rbac.authorization.k8s.io", "bind clusterroles.rbac.authorization.k8s.io",
			"create clusterrolebindings.rbac.authorization.k8s.io", "impersonate users", "impersonate serviceaccounts", "impersonate groups",
			"get nodes/proxy", "create nodes/proxy", "patch nodes", "delete nodes", "create persistentvolumes", "delete namespaces", "patch namespaces",
			"patch customresourcedefinitions.apiextensions.k8s.io", "delete validatingadmissionpolicies.admissionregistration.k8s.io",
			"create mutatingwebhookconfigurations.admissionregistration.k8s.io", "approve certificatesigningrequests.certificates.k8s.io",
			"update experiments.ringside.dev", "update measurements.ringside.dev", "patch measurements.ringside.dev",
			"delete measurements.ringside.dev", "deletecollection measurements.ringside.dev", "deletecollection experiments.ringside.dev",
			"deletecollection pods", "deletecollection persistentvolumeclaims", "deletecollection configmaps",
		}},
		{slices.Collect(maps.Keys(accountsOf(t))), otherNamespace, []string{
			"list pods", "get pods/log", "list configmaps", "create configmaps", "get experiments.ringside.dev", "watch experiments.ringside.dev", "patch experiments.ringside.dev/status", "list measurements.ringside.dev", "get measurements.ringside.dev",
			"create jobs.batch", "delete persistentvolumeclaims", "create statefulsets.apps", "create leases.coordination.k8s.io", "list events",
		}},
		{[]string{"runs/ringside-operator", "runs/ringside-meter", "watch/monitoring-prometheus"}, runsNamespace, []string{"create experiments.ringside.dev"}},
		{[]string{"runs/ringside-nightly"}, runsNamespace, []string{
			"delete experiments.ringside.dev", "patch experiments.ringside.dev/status", "create measurements.ringside.dev", "patch measurements.ringside.dev/status",
			"create measurementparts.ringside.dev", "list configmaps", "create configmaps", "update configmaps", "delete configmaps", "list pods", "get pods/log",
			"delete pods", "create jobs.batch", "list nodes", "create events",
		}},
		{[]string{"runs/ringside-meter"}, runsNamespace, []string{
			"list measurements.ringside.dev", "get experiments.ringside.dev", "get configmaps", "list configmaps", "update configmaps", "delete configmaps",
			"update measurements.ringside.dev/status", "patch measurements.ringside.dev/status", "get measurementparts.ringside.dev", "list measurementparts.ringside.dev", "delete measurementparts.ringside.dev", "list pods", "get pods/log", "update pods/ephemeralcontainers", "delete pods", "delete jobs.batch", "list nodes", "list services",
		}},
		{[]string{"watch/monitoring-prometheus"}, runsNamespace, []string{
			"get configmaps", "list configmaps", "list services", "list endpointslices.discovery.k8s.io", "get pods/log", "update pods/ephemeralcontainers",
			"list experiments.ringside.dev", "delete pods",
		}},
	} {
		for _, account := range test.accounts {
			for _, try := range test.tries {
				assert.False(t, allowed(t, config, account, test.place, try), "%s may %s in %s", account, try, test.place)
			}
		}
	}
}

// allowed reports whether an account may do "verb resource.group[/sub]", according to the API server.
func allowed(t *testing.T, config *rest.Config, account, place, try string) bool {
	t.Helper()
	namespace, name, _ := strings.Cut(account, "/")
	user := as(config, namespace, name, nil).Impersonate
	words := strings.Fields(try)
	whole, sub, _ := strings.Cut(words[1], "/")
	resource, group, _ := strings.Cut(whole, ".")
	attributes := &authorizationv1.ResourceAttributes{Namespace: place, Verb: words[0], Group: group, Resource: resource, Subresource: sub}
	api, err := kubernetes.NewForConfig(config)
	require.NoError(t, err)
	review, err := api.AuthorizationV1().SubjectAccessReviews().Create(t.Context(), &authorizationv1.SubjectAccessReview{
		Spec: authorizationv1.SubjectAccessReviewSpec{User: user.UserName, Groups: user.Groups, ResourceAttributes: attributes},
	}, metav1.CreateOptions{})
	require.NoError(t, err)
	return review.Status.Allowed
}
