package operator

import (
	"encoding/json"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"ringside.dev/ringside/operators/api/convert"
	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/apiserver"
)

const (
	alpha = "ringside.dev/v1alpha1"
	beta  = "ringside.dev/v1beta1"
)

// of returns an empty Experiment of a version.
func of(version, name string) *unstructured.Unstructured {
	out := &unstructured.Unstructured{}
	out.SetAPIVersion(version)
	out.SetKind("Experiment")
	out.SetNamespace(runsNamespace)
	out.SetName(name)
	return out
}

// written returns an Experiment of a version with the given phases and gates.
func written(t *testing.T, version, name, phases, gates string) *unstructured.Unstructured {
	t.Helper()
	out := of(version, name)
	var spec map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"store": {"chart": "stub", "hosting": "Dedicated", "readyTimeout": "60s"}, "servers": [{"name": "hsha"}],
		"load": {"image": "ycsb", "pods": 1}, "operations": 1000, "rounds": 1, "phases": `+phases+`, "gates": `+gates+`}`), &spec))
	out.Object["spec"] = spec
	return out
}

// at returns a field, as kubectl's JSONPath finds it.
func at(t *testing.T, object *unstructured.Unstructured, path ...string) any {
	t.Helper()
	value, _, err := unstructured.NestedFieldNoCopy(object.Object, path...)
	require.NoError(t, err)
	return value
}

// phase returns the first phase of an Experiment.
func phase(t *testing.T, object *unstructured.Unstructured) map[string]any {
	t.Helper()
	return at(t, object, "spec", "phases").([]any)[0].(map[string]any)
}

func merge(text string) client.Patch { return client.RawPatch(types.MergePatchType, []byte(text)) }

// The CRDs are those of the chart. The operator's handler answers in this process, in place of one behind the chart's Service.
func TestBothVersionsOfAnExperimentAreServed(t *testing.T) {
	config, admin := apiServer(t)
	var reviews atomic.Int64
	handler := ConversionHandler(convert.JSON)
	options := envtest.CRDInstallOptions{Paths: []string{charts + "/ringside/files/crds"}, MaxTime: rightsPatience, PollInterval: rightsInterval}
	require.NoError(t, envtest.ReadCRDFiles(&options))
	options.Paths = nil
	webhook := apiserver.Convert(options.CRDs, ConversionPath, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reviews.Add(1)
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(webhook.Close)
	_, err := envtest.InstallCRDs(config, options)
	require.NoError(t, err)
	c, err := client.NewWithWatch(config, client.Options{})
	require.NoError(t, err)
	ctx := t.Context()
	get := func(t *testing.T, version, name string) *unstructured.Unstructured {
		t.Helper()
		out := of(version, name)
		require.NoError(t, c.Get(ctx, client.ObjectKeyFromObject(out), out))
		return out
	}

	run := written(t, alpha, "old-client", `[{"name": "read", "sweepThreads": [1, 8], "targetOpsPerSecond": 500}]`, `{"errorsMaxPermille": 5}`)
	require.NoError(t, c.Create(ctx, run))
	t.Run("written as v1alpha1, read as v1beta1", func(t *testing.T) {
		read := get(t, beta, "old-client")
		assert.Equal(t, "Measure", phase(t, read)["type"])
		assert.Equal(t, map[string]any{"threads": []any{int64(1), int64(8)}}, phase(t, read)["sweep"])
		assert.Equal(t, int64(500), phase(t, read)["targetRate"])
		assert.Equal(t, "0.5%", at(t, read, "spec", "gates", "errorsMax"))
	})

	require.NoError(t, c.Create(ctx, written(t, beta, "new-client", `[{"name": "limit", "type": "Capacity", "duration": "120s", "capacity": {"bound": "20ms", "from": 500, "to": 9000, "failedMax": "0.1%"}}]`, `{"loadCPUMax": "90%"}`)))
	t.Run("written as v1beta1, read as v1alpha1", func(t *testing.T) {
		var read v1alpha1.Experiment
		require.NoError(t, admin.Get(ctx, client.ObjectKey{Namespace: runsNamespace, Name: "new-client"}, &read))
		require.NotNil(t, read.Spec.Phases[0].Capacity)
		assert.Equal(t, int64(9000), read.Spec.Phases[0].Capacity.To)
		assert.Equal(t, "120s", phase(t, get(t, beta, "new-client"))["duration"], "as it was written")
	})

	t.Run("what no version allows is rejected by each", func(t *testing.T) {
		wrong := written(t, beta, "wrong", `[{"name": "limit", "type": "Idle", "duration": "120s", "capacity": {"bound": "20ms", "from": 500}}]`, `{}`)
		assert.ErrorContains(t, c.Create(ctx, wrong), "a phase of type Capacity has capacity, and no other phase has")
		for _, version := range []string{alpha, beta} {
			assert.ErrorContains(t, c.Patch(ctx, of(version, "old-client"), merge(`{"spec":{"rounds":2}}`)), "a run's spec is", version)
		}
	})

	t.Run("lists of both", func(t *testing.T) {
		for _, version := range []string{alpha, beta} {
			list := &unstructured.UnstructuredList{}
			list.SetAPIVersion(version)
			list.SetKind("ExperimentList")
			require.NoError(t, c.List(ctx, list, client.InNamespace(runsNamespace)))
			var names []string
			for _, item := range list.Items {
				assert.Equal(t, version, item.GetAPIVersion())
				names = append(names, item.GetName())
			}
			assert.Subset(t, names, []string{"old-client", "new-client"})
		}
	})

	t.Run("a run in progress is suspended as v1beta1, and its operator goes on writing v1alpha1", func(t *testing.T) {
		progress := func(finished string) {
			require.NoError(t, admin.Status().Patch(ctx, of(alpha, "old-client"), merge(`{"status":{"planned":4,"finished":`+finished+`}}`)))
		}
		progress("1")
		before := get(t, alpha, "old-client")
		list := &unstructured.UnstructuredList{}
		list.SetAPIVersion(beta)
		list.SetKind("ExperimentList")
		watching, err := c.Watch(ctx, list, client.InNamespace(runsNamespace), client.MatchingFields{"metadata.name": "old-client"})
		require.NoError(t, err)
		defer watching.Stop()
		require.NoError(t, c.Patch(ctx, of(beta, "old-client"), merge(`{"spec":{"suspend":true}}`)))
		for {
			event := within(t, watching.ResultChan(), "the change is watched")
			require.Contains(t, []watch.EventType{watch.Added, watch.Modified}, event.Type)
			object := event.Object.(*unstructured.Unstructured)
			require.Equal(t, beta, object.GetAPIVersion())
			if at(t, object, "spec", "suspend") == true {
				break
			}
		}
		after := get(t, alpha, "old-client")
		assert.Equal(t, true, at(t, after, "spec", "suspend"))
		unstructured.RemoveNestedField(after.Object, "spec", "suspend")
		assert.Equal(t, before.Object["spec"], after.Object["spec"], "nothing else changed")
		assert.Equal(t, before.GetGeneration()+1, after.GetGeneration())
		assert.Empty(t, after.GetAnnotations())
		progress("2")
		assert.Equal(t, int64(2), at(t, get(t, beta, "old-client"), "status", "finished"))
	})

	t.Run("applied as v1beta1", func(t *testing.T) {
		applied := of(beta, "old-client")
		require.NoError(t, unstructured.SetNestedField(applied.Object, false, "spec", "suspend"))
		require.NoError(t, c.Apply(ctx, client.ApplyConfigurationFromUnstructured(applied), client.FieldOwner("desk"), client.ForceOwnership))
		assert.NotEqual(t, true, at(t, get(t, alpha, "old-client"), "spec", "suspend"))
	})

	t.Run("without the operator, the stored version works", func(t *testing.T) {
		assert.Positive(t, reviews.Load())
		webhook.Close()
		failed := c.Get(ctx, client.ObjectKeyFromObject(run), of(beta, "old-client"))
		assert.ErrorContains(t, failed, "conversion webhook for ringside.dev/v1alpha1, Kind=Experiment failed")
		require.NoError(t, admin.Status().Patch(ctx, of(alpha, "old-client"), merge(`{"status":{"finished":3}}`)), "although v1beta1 has written it")
		require.NoError(t, c.Patch(ctx, of(alpha, "old-client"), merge(`{"spec":{"suspend":true}}`)))
		var all v1alpha1.ExperimentList
		require.NoError(t, admin.List(ctx, &all, client.InNamespace(runsNamespace)))
		assert.Len(t, all.Items, 2)
		for _, name := range []string{"old-client", "new-client"} {
			require.NoError(t, admin.Delete(ctx, of(alpha, name)))
		}
	})
}
