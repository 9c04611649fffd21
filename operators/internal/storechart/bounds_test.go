package storechart

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

const storeChart = "testdata/charts/ledger"

func TestAChartHasOnlyObjectsThatStoresMayHave(t *testing.T) {
	const only = ", but the chart of a store may have ConfigMap, Service, ServiceAccount, StatefulSet, NetworkPolicy, PodDisruptionBudget only: remove it from the chart, or disable it in the values"
	for name, test := range map[string]struct{ template, says string }{
		"a kind of the list":            {"{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}", ""},
		"a kind of the list, by a hook": {"{apiVersion: v1, kind: ConfigMap, metadata: {name: x, annotations: {helm.sh/hook: pre-install}}}", ""},
		"a test, which is not run":      {"{apiVersion: v1, kind: Pod, metadata: {name: x, annotations: {helm.sh/hook: test}}}", ""},
		"its own namespace":             {"{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: \"{{ .Release.Namespace }}\"}}", ""},
		"a role of the cluster": {"{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: x}}",
			"chart ledger has a ClusterRole.rbac.authorization.k8s.io, x" + only},
		"a secret":            {"{apiVersion: v1, kind: Secret, metadata: {name: x}}", "chart ledger has a Secret, x" + only},
		"the kind of another": {"{apiVersion: other.example/v1, kind: Service, metadata: {name: x}}", "chart ledger has a Service.other.example, x" + only},
		"a list":              {"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Namespace, metadata: {name: x}}]}", "chart ledger has a Namespace, x" + only},
		"a hook":              {"{apiVersion: batch/v1, kind: Job, metadata: {name: x, annotations: {helm.sh/hook: pre-install}}}", "chart ledger has a Job.batch, x" + only},
		"a test that also is another hook": {"{apiVersion: batch/v1, kind: Job, metadata: {name: x, annotations: {helm.sh/hook: \"test,post-install\"}}}",
			"chart ledger has a Job.batch, x" + only},
		"another namespace": {"{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: kube-system}}",
			"chart ledger has ConfigMap x in namespace kube-system, but a store is in the namespace of its run: remove its namespace from the chart"},
	} {
		t.Run(name, func(t *testing.T) {
			charts := t.TempDir()
			require.NoError(t, os.CopyFS(charts+"/ledger", os.DirFS(storeChart)))
			require.NoError(t, os.WriteFile(charts+"/ledger/templates/more.yaml", []byte(test.template), 0o600))
			chart, err := NewCatalogue(charts).Open("ledger")
			require.NoError(t, err)
			values, err := Values(nil, nil, Servers{Types: []string{"hsha"}}, chart.Images(SomeImages()))
			require.NoError(t, err)
			_, err = Render(t.Context(), Order{Release: "r1", Chart: chart, Values: values}, "ns")
			if test.says == "" {
				require.NoError(t, err)
				return
			}
			var refused problem.Problem
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, v1beta1.RefusedKindNotAllowed, refused.Reason)
			assert.Equal(t, test.says, err.Error())
		})
	}
}
