package operator

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	releasev1 "helm.sh/helm/v4/pkg/release/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/internal/storechart"
)

const charts = "../../../charts"

// The operator may make exactly the kinds of objects that the stores' charts contain, beside what it makes for itself.
func TestRoleFitsTheChartsOfTheStoresExactly(t *testing.T) {
	kinds, err := StoreKinds(t.Context(), storechart.NewCatalogue(charts))
	require.NoError(t, err)
	require.NotEmpty(t, kinds)
	// ConfigMaps are also Helm's records, Jobs are the loads, Measurements the results, the rest tells and leads.
	own := []string{"/configmaps", "batch/jobs", "ringside.dev/measurements", "/events", "events.k8s.io/events", "coordination.k8s.io/leases"}
	needed := slices.Clone(own)
	for _, kind := range kinds {
		needed = append(needed, resourceOf(kind))
	}
	slices.Sort(needed)
	role := operatorRole(t, map[string]any{"leaderElection": map[string]any{"enabled": true}})
	assert.Equal(t, slices.Compact(needed), allowed(role, "create"), "charts/ringside/templates/role-operator.yaml lists what the charts of the stores contain")
	for _, kind := range kinds {
		for _, verb := range []string{"get", "create", "patch", "delete"} {
			assert.Contains(t, allowed(role, verb), resourceOf(kind), "Helm needs to %s it", verb)
		}
	}
}

func TestOperatorHasNoRightsToSecretsOrToEverything(t *testing.T) {
	for _, rule := range operatorRole(t, nil).Rules {
		assert.NotContains(t, rule.Resources, "secrets")
		assert.NotContains(t, rule.Resources, "*")
		assert.NotContains(t, rule.Verbs, "*")
		assert.NotContains(t, rule.APIGroups, "*")
	}
}

func resourceOf(kind schema.GroupVersionKind) string {
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return plural.Group + "/" + plural.Resource
}

// allowed resources for a verb, as group/resource in order.
func allowed(role rbacv1.Role, verb string) []string {
	var out []string
	for _, rule := range role.Rules {
		if !slices.Contains(rule.Verbs, verb) {
			continue
		}
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				out = append(out, group+"/"+resource)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func operatorRole(t *testing.T, values map[string]any) rbacv1.Role {
	t.Helper()
	for document := range strings.SplitSeq(render(t, values), "\n---\n") {
		var role rbacv1.Role
		if yaml.Unmarshal([]byte(document), &role) == nil && role.Kind == "Role" && role.Name == "ringside-operator" {
			return role
		}
	}
	t.Fatal("the chart has no Role ringside-operator")
	return rbacv1.Role{}
}

func render(t *testing.T, values map[string]any) string {
	t.Helper()
	manifest, err := tryRender(t, values)
	require.NoError(t, err)
	return manifest
}

func tryRender(t *testing.T, values map[string]any) (string, error) {
	t.Helper()
	chart, err := loader.LoadDir(charts + "/ringside")
	require.NoError(t, err)
	install := action.NewInstall(action.NewConfiguration())
	install.ReleaseName, install.Namespace, install.DryRunStrategy = "ringside", "ns", action.DryRunClient
	install.KubeVersion = &common.KubeVersion{Version: "v1.34.0", Major: "1", Minor: "34"}
	rendered, err := install.RunWithContext(t.Context(), chart, values)
	if err != nil {
		return "", err
	}
	return rendered.(*releasev1.Release).Manifest, nil
}

func TestChartRefusesTwoOperatorsWithoutALeader(t *testing.T) {
	_, err := tryRender(t, map[string]any{"replicas": 2})
	assert.ErrorContains(t, err, "leaderElection")
	_, err = tryRender(t, map[string]any{"replicas": 2, "leaderElection": map[string]any{"enabled": true}})
	assert.NoError(t, err)
}

func TestCommandLineNamesWhatIsWrong(t *testing.T) {
	t.Setenv("POD_NAMESPACE", "")
	stores := "--charts-dir=../release/testdata/charts"
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"--meter-image=m", stores}, "--namespace is missing"},
		{[]string{"--namespace=n", stores}, "--meter-image is missing"},
		{[]string{"--namespace=n", "--meter-image=m", stores, "--image-pull-policy=Sometimes"}, `--image-pull-policy is "Sometimes", it must be Always, IfNotPresent or Never`},
		{[]string{"--namespace=n", "--meter-image=m", "--charts-dir=nowhere"}, "--charts-dir nowhere: "},
		{[]string{"--namespace=n", "--meter-image=m", "--charts-dir=../release/testdata/charts/plain"}, "holds no store chart"},
		{[]string{"--namespace=n", "--meter-image=m", stores, "--loads-dir=nowhere"}, "--loads-dir nowhere holds no load"},
		{[]string{"extra"}, `unexpected argument "extra"`},
	} {
		t.Run(fmt.Sprint(test.args), func(t *testing.T) {
			_, err := ParseOptions(test.args)
			assert.ErrorContains(t, err, test.says)
		})
	}
	_, err := ParseOptions([]string{"--namespace=n", "--meter-image=m", stores, "--loads-dir=../../../images"})
	assert.NoError(t, err)
}
