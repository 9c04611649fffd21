package storechart

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
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

// The operator counts a store's nodes by the pods that the manifest labels as the store's.
func TestManifestsOfTheStoresSayHowManyNodesTheyAskFor(t *testing.T) {
	catalogue := NewCatalogue("../../../charts")
	stores, err := catalogue.Stores()
	require.NoError(t, err)
	for _, name := range stores {
		chart, err := catalogue.Open(name)
		require.NoError(t, err)
		types, err := chart.ServersTogether()
		require.NoError(t, err)
		values, err := Values(&JSON{Raw: []byte(`{"nodes": 3}`)}, nil, Servers{Types: types[:1]}, Images{Tag: "t", PullPolicy: "Never"})
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
