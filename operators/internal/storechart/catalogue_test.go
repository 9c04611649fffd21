package storechart

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

const testCharts = "testdata/charts"

func TestPodsHostEveryServerUnlessTheChartLimitsThem(t *testing.T) {
	for name, test := range map[string]struct {
		annotations map[string]string
		limit       string
		want        []string
	}{
		"no limit":              {nil, "", []string{"calm", "spinner"}},
		"one server a release":  {nil, `"maxItems": 1, `, []string{"spinner"}},
		"as many as there are":  {nil, `"maxItems": 2, `, []string{"calm", "spinner"}},
		"each has its own pods": {map[string]string{annotationSideBySide: "true"}, "", []string{"spinner"}},
	} {
		t.Run(name, func(t *testing.T) {
			chart, err := newChart(&chartv2.Chart{
				Metadata: &chartv2.Metadata{Name: "small", Annotations: test.annotations},
				Values:   map[string]any{"server": map[string]any{"types": []any{"spinner"}}},
				Schema:   []byte(`{"properties": {"server": {"properties": {"types": {` + test.limit + `"items": {"enum": ["calm", "spinner"]}}}}}}`),
			})
			require.NoError(t, err)
			assert.Equal(t, test.annotations != nil, chart.SideBySide())
			types, err := chart.ServersTogether()
			require.NoError(t, err)
			assert.Equal(t, test.want, types)
		})
	}
}

func TestListsStoresAndNoOtherCharts(t *testing.T) {
	stores, err := NewCatalogue(testCharts).Stores()
	require.NoError(t, err)
	assert.Equal(t, []string{"ledger", "shelf"}, stores)
}

func TestUnknownStoreIsAnsweredWithTheKnownOnes(t *testing.T) {
	_, err := NewCatalogue(testCharts).Open("plain")
	assert.EqualError(t, err, `unknown store "plain": choose from ledger, shelf`)
}

func TestReadsFromAChartWhatItSaysOfItsServers(t *testing.T) {
	chart := open(t)
	assert.Equal(t, []string{"disruptor", "hsha", "simple"}, chart.ServerTypes())
	assert.True(t, chart.SingleConnection("simple"))
	assert.False(t, chart.SingleConnection("hsha"))
	assert.Equal(t, "test.Disruptor", chart.ExpectedClass("disruptor"))
	assert.Empty(t, chart.ExpectedClass("hsha"))
}

func TestServerValuesLieOverTheStoresAndTheOperatorsOverBoth(t *testing.T) {
	values, err := Values(
		&apiextensionsv1.JSON{Raw: []byte(`{"nodes": 4, "server": {"types": ["hsha"]}, "nodeSelector": {"a": "1", "b": "2"}}`)},
		&apiextensionsv1.JSON{Raw: []byte(`{"nodeSelector": {"b": "3"}}`)},
		Servers{Types: []string{"disruptor"}}, Images{Registry: "r", Tag: "t", PullPolicy: "Never"})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{
		"nodes":        float64(4),
		"server":       map[string]any{"types": []any{"disruptor"}},
		"nodeSelector": map[string]any{"a": "1", "b": "3"},
		"image":        map[string]any{"registry": "r", "tag": "t", "pullPolicy": "Never"},
	}, values)
	settings, err := open(t).Settle(values)
	require.NoError(t, err)
	assert.Equal(t, int64(4), settings.Nodes())
	assert.Equal(t, int64(2), settings.ReplicationFactor(), "the chart's default")
}

func TestWhatTheOperatorSetsItselfIsFoundInAnExperimentsValues(t *testing.T) {
	images := Images{Registry: "r", Tag: "t", PullPolicy: "Never", companions: map[string]string{"helper": "r/helper:t"}}
	withSecrets := images
	withSecrets.PullSecrets = []string{"login"}
	for name, test := range map[string]struct {
		values string
		images Images
		want   []Overridden
	}{
		"nothing":                     {`{"nodes": 4, "helper": {"heap": "1G"}}`, images, nil},
		"the tag":                     {`{"image": {"tag": "5.0.9", "other": 1}}`, images, []Overridden{{"image.tag", `"5.0.9"`}}},
		"the registry and the policy": {`{"image": {"registry": "", "pullPolicy": "Always"}}`, images, []Overridden{{"image.pullPolicy", `"Always"`}, {"image.registry", `""`}}},
		"the image in one":            {`{"image": "cassandra:5"}`, images, []Overridden{{"image", `"cassandra:5"`}}},
		"servers":                     {`{"server": {"types": ["hsha"], "instances": []}}`, images, []Overridden{{"server.instances", `[]`}, {"server.types", `["hsha"]`}}},
		"another image's":             {`{"helper": {"image": "mine:1"}}`, images, []Overridden{{"helper.image", `"mine:1"`}}},
		"secrets where it has none":   {`{"imagePullSecrets": [{"name": "mine"}]}`, images, nil},
		"secrets where it has some":   {`{"imagePullSecrets": [{"name": "mine"}]}`, withSecrets, []Overridden{{"imagePullSecrets", `[{"name":"mine"}]`}}},
		"null":                        {`{"image": null, "server": {"types": null}}`, images, nil},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := OverriddenBy(&apiextensionsv1.JSON{Raw: []byte(test.values)}, test.images)
			require.NoError(t, err)
			assert.Equal(t, test.want, found)
		})
	}
}

func TestInstancesAreAskedForOnlyWhereThereAreAny(t *testing.T) {
	values, err := Values(nil, nil, Servers{Types: []string{"hsha"}, Instances: []Instance{{Name: "hsha-again"}, {Name: "hsha-slowed", Options: map[string]string{"hold": "0.05"}}}}, Images{})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"types": []any{"hsha"}, "instances": []any{
		map[string]any{"name": "hsha-again"},
		map[string]any{"name": "hsha-slowed", "options": map[string]any{"hold": "0.05"}},
	}}, values["server"])
	assert.False(t, open(t).HostsInstances())
	cassandra, err := NewCatalogue("../../../charts").Open("cassandra")
	require.NoError(t, err)
	assert.True(t, cassandra.HostsInstances())
}

func TestValuesThatDoNotFitTheSchemaAreNamedInOneLine(t *testing.T) {
	_, err := open(t).Settle(map[string]any{"nodes": "four", "color": "red"})
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "\n")
	assert.Contains(t, err.Error(), "values do not fit chart ledger: ")
	assert.Contains(t, err.Error(), "'color' not allowed")
	assert.Contains(t, err.Error(), "'/nodes': got string, want integer")
}

func TestShortImageNamesAreRingsidesOwn(t *testing.T) {
	images := Images{Registry: "registry.example/team/", Tag: "1.2"}
	assert.Equal(t, "registry.example/team/ringside-stress:1.2", images.Reference("stress"))
	assert.Equal(t, "docker.io/library/ycsb:3", images.Reference("docker.io/library/ycsb:3"))
	assert.Equal(t, "ringside-stress", Images{}.Reference("stress"))
}

func open(t *testing.T) *Chart {
	t.Helper()
	chart, err := NewCatalogue(testCharts).Open("ledger")
	require.NoError(t, err)
	return chart
}
