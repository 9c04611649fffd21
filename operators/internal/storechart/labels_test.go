package storechart

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/problem"
)

func TestLabelsReachObjectsPodsAndVolumeClaims(t *testing.T) {
	chart, err := NewCatalogue("testdata/charts").Open("ledger")
	require.NoError(t, err)
	values, err := Values(nil, nil, Servers{Types: []string{"disruptor", "hsha"}}, Images{})
	require.NoError(t, err)
	manifest, err := Render(t.Context(), Order{Release: "r1", Chart: chart, Values: values,
		Labels: map[string]string{"ringside.dev/run": "7", "ringside.dev/server": "never over a chart's own"}}, "ns")
	require.NoError(t, err)
	objects, err := Objects(manifest)
	require.NoError(t, err)
	require.Len(t, objects, 3)
	for _, object := range objects {
		assert.Equal(t, "7", object.Labels["ringside.dev/run"])
	}
	assert.Equal(t, "disruptor", objects[0].Labels["ringside.dev/server"])
	workloads, err := Workloads(manifest)
	require.NoError(t, err)
	assert.Equal(t, []Workload{{Kind: "StatefulSet", Name: "r1", Store: true, StorePods: 2}}, workloads)

	sets, err := StatefulSets(manifest)
	require.NoError(t, err)
	require.Len(t, sets, 1)
	set := sets[0]
	assert.Equal(t, "7", set.Spec.Template.Labels["ringside.dev/run"])
	assert.Equal(t, v1beta1.Undisturbed(), set.Spec.Template.Annotations, "an autoscaler does not evict the pod")
	assert.Equal(t, "7", set.Spec.VolumeClaimTemplates[0].Labels["ringside.dev/run"])
}

// A chart without any affinity of its own, and one with: what the chart has stays.
func TestRender_releasesSideBySideAskForTheSameNodes(t *testing.T) {
	for charts, name := range map[string]string{testCharts: "shelf", "../../../charts": "cassandra-cql"} {
		chart, err := NewCatalogue(charts).Open(name)
		require.NoError(t, err)
		values, err := Values(nil, nil, Servers{Types: chart.ServersTogether()}, SomeImages())
		require.NoError(t, err)
		affinity := map[bool]*corev1.Affinity{}
		for _, beside := range []bool{false, true} {
			manifest, err := Render(t.Context(), Order{Release: "r1", Chart: chart, Values: values, Labels: map[string]string{"ringside.dev/run": "7"}, Beside: beside}, "ns")
			require.NoError(t, err)
			sets, err := StatefulSets(manifest)
			require.NoError(t, err)
			require.Len(t, sets, 1)
			affinity[beside] = sets[0].Spec.Template.Spec.Affinity
		}
		terms := affinity[true].PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution
		require.Len(t, terms, 1)
		assert.Equal(t, corev1.LabelHostname, terms[0].PodAffinityTerm.TopologyKey)
		selector, err := metav1.LabelSelectorAsSelector(terms[0].PodAffinityTerm.LabelSelector)
		require.NoError(t, err)
		pod := func(release, run string) labels.Set {
			return labels.Set{v1beta1.LabelComponent: v1beta1.StoreComponent, v1beta1.LabelInstance: release, "ringside.dev/run": run}
		}
		assert.True(t, selector.Matches(pod("r2", "7")))
		assert.False(t, selector.Matches(pod("r1", "7")), "its own pods keep apart")
		assert.False(t, selector.Matches(pod("r2", "8")), "another run")
		affinity[true].PodAffinity = nil
		assert.Equal(t, affinity[false] == nil, affinity[true].PodAntiAffinity == nil)
	}
}

// The operator counts a store's nodes by the pods that the manifest labels as the store's.
func TestManifestsOfTheStoresSayHowManyNodesTheyAskFor(t *testing.T) {
	catalogue := NewCatalogue("../../../charts")
	stores, err := catalogue.Stores()
	require.NoError(t, err)
	for _, name := range stores {
		chart, err := catalogue.Open(name)
		require.NoError(t, err)
		values, err := Values(&JSON{Raw: []byte(`{"nodes": 3}`)}, nil, Servers{Types: chart.ServersTogether()[:1]}, Images{Tag: "t", PullPolicy: "Never"})
		require.NoError(t, err)
		manifest, err := Render(t.Context(), Order{Release: "r1", Chart: chart, Values: values}, "ns")
		require.NoError(t, err)
		objects, err := Workloads(manifest)
		require.NoError(t, err)
		nodes := int32(0)
		for _, workload := range objects {
			nodes += workload.StorePods
		}
		assert.Equal(t, int32(3), nodes, name)
	}
}

func TestAChartIsToldTheImagesOfItsCompanions(t *testing.T) {
	chart, err := small(t, `ringside.dev/companions: "broker, cron"`)
	require.NoError(t, err)
	images := chart.Images(Images{Registry: "r", Tag: "dev", Digests: map[string]ImageDigests{"small": {Tag: "01"}, "broker": {Tag: "02"}}})
	values, err := Values(&apiextensionsv1.JSON{Raw: []byte(`{"broker": {"enabled": true, "image": "mine"}}`)}, nil, Servers{Types: []string{"calm"}}, images)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"enabled": true, "image": "r/ringside-broker:02"}, values["broker"], "the operator's lies over the document's")
	assert.Equal(t, map[string]any{"image": "r/ringside-cron:dev"}, values["cron"], "under the tag of all, not of the store")
	assert.Equal(t, map[string]any{"registry": "r", "tag": "01", "pullPolicy": ""}, values["image"])
}

func TestAStorePodMayRunACompanion(t *testing.T) {
	chart, err := small(t, `ringside.dev/companions: "broker, cron"`)
	require.NoError(t, err)
	all := Images{Digests: map[string]ImageDigests{"small": {Image: []string{"sha256:a"}, Plugin: "p"}, "broker": {Image: []string{"sha256:b"}}}}
	assert.Equal(t, &v1beta1.Build{ImageDigests: []string{"sha256:a", "sha256:b"}, PluginSHA256: "p"}, chart.Built(all))
	delete(all.Digests, "small")
	assert.Equal(t, &v1beta1.Build{ImageDigests: []string{"sha256:b"}}, chart.Built(all), "only the image that the selected servers need was built")
	assert.Nil(t, chart.Built(Images{}))
}

func TestAChartWithoutCompanionsIsToldOfNone(t *testing.T) {
	chart, err := small(t, "")
	require.NoError(t, err)
	values, err := Values(nil, nil, Servers{Types: []string{"calm"}}, chart.Images(Images{}))
	require.NoError(t, err)
	assert.Len(t, values, 2, "server and image: %v", values)
}

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

func TestAChartSaysWhichCountersMakeItsQueue(t *testing.T) {
	for text, want := range map[string]string{"": "", "points_received - points": "points_received-points", "a+b-c": "a+b-c"} {
		queue, err := queueOf(map[string]string{annotationQueue: text})
		require.NoError(t, err)
		assert.Equal(t, want, queue)
	}
	for _, text := range []string{"-done", "received -", "received * 2", "Received - done", "done - done"} {
		_, err := queueOf(map[string]string{annotationQueue: text})
		assert.ErrorContains(t, err, "its annotation ringside.dev/queue is ", text)
	}
	java, err := os.ReadFile("../../../images/load-kit/src/main/java/dev/ringside/load/QueueTerms.java")
	require.NoError(t, err)
	assert.Contains(t, string(java), `ALL = Pattern.compile("`+strings.Trim(queueTerms.String(), "^$")+`")`, "loads read what charts may say")
	assert.Empty(t, open(t).Queue())
	trips, err := NewCatalogue("../../../charts").Open("trip-cache")
	require.NoError(t, err)
	assert.Equal(t, "points_received-points", trips.Queue())
}

func TestAChartSaysWhichOfItsValuesAreSettings(t *testing.T) {
	chart, err := small(t, `ringside.dev/settings: database, ringside.dev/jvm-options: "options, more"`)
	require.NoError(t, err)
	assert.Equal(t, []string{"database", "more", "options"}, chart.Proves())
	values := map[string]any{
		"nodes":    4.0,
		"database": map[string]any{"reads": 64.0, "large": 4e9, "sync": "periodic", "on": true, "share": 0.5, "classes": []any{"a"}, "table": map[string]any{"a": 1.0, "b": map[string]any{"c": "d"}}},
		"options":  []any{"-ea", "-XX:+UseG1GC", "-XX:+UseNUMA", "-XX:MaxGCPauseMillis=300", "-Da.b=c=d", "-Dx", "-Xss256k", "-Xmx1G", "-javaagent:/a.jar=1"},
		"more":     []any{"-XX:-UseNUMA"},
	}
	want := map[string]string{
		"reads": "64", "large": "4000000000", "sync": "periodic", "on": "true", "share": "0.5", "table.a": "1", "table.b.c": "d",
		"jvm.-ea": "set", "jvm.UseG1GC": "true", "jvm.UseNUMA": "false", "jvm.MaxGCPauseMillis": "300", "jvm.-Da.b": "c=d", "jvm.-Dx": "set", "jvm.-Xss256k": "set",
	}
	assert.Equal(t, want, chart.Asked(values))
	assert.Len(t, chart.AskedNames(values), len(want))
	chart, err = small(t, "")
	require.NoError(t, err)
	assert.Empty(t, chart.Proves())
	assert.Empty(t, chart.Asked(values))
}

func TestAServerIsWhatTheChartPromisesAndTheExperimentChanges(t *testing.T) {
	chart, err := smallWith(t, `ringside.dev/settings: "heap.max=jvm.-Xmx, kinds.*.java, kinds.*.settings, settings"`,
		"{heap: {max: 1G}, kinds: {calm: {java: 11, note: a, settings: {reads: 32, table: {format: big}}}, spinner: {java: 17, settings: {}}}, settings: {writes: 32}}")
	require.NoError(t, err)
	assert.Equal(t, []string{"heap.max", "kinds.*.java", "kinds.*.settings", "settings"}, chart.Proves())
	hosts := func(server string, values map[string]any) map[string]any {
		return overlay(values, owned(Servers{Types: []string{server}}, Images{}))
	}
	assert.Equal(t, map[string]string{"java": "11", "reads": "32", "table.format": "big"}, chart.Asked(hosts("calm", nil)), "the chart's other values are not asked for")
	assert.Equal(t, map[string]string{"java": "17"}, chart.Asked(hosts("spinner", nil)))
	changed := map[string]any{
		"heap":     map[string]any{"max": "2G"},
		"kinds":    map[string]any{"calm": map[string]any{"java": 17.0, "settings": map[string]any{"table": map[string]any{"format": "bti"}}}},
		"settings": map[string]any{"reads": 64.0},
	}
	want := map[string]string{"jvm.-Xmx": "2G", "java": "17", "reads": "64", "table.format": "bti"}
	assert.Equal(t, want, chart.Asked(hosts("calm", changed)), "the last entry of the annotation counts")
}

func TestTheChartsHaveTheValuesThatTheirProofsProve(t *testing.T) {
	catalogue := NewCatalogue("../../../charts")
	stores, err := catalogue.Stores()
	require.NoError(t, err)
	for _, name := range stores {
		chart, err := catalogue.Open(name)
		require.NoError(t, err)
		require.NotEmpty(t, chart.Proves(), name)
		for _, path := range chart.Proves() {
			for _, server := range chart.ServerTypes() {
				value := valueAt(strings.Split(strings.ReplaceAll(path, anyServer, server), "."), chart.Helm().Values)
				assert.NotNil(t, value, "%s: %s", name, path)
			}
		}
	}
}
