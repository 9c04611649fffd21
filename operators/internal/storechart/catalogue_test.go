package storechart

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	chartv2 "helm.sh/helm/v4/pkg/chart/v2"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

const testCharts = "testdata/charts"

func TestPodsHostEveryServerUnlessTheChartLimitsThem(t *testing.T) {
	for name, test := range map[string]struct {
		limit string
		most  int
		want  []string
	}{
		"no limit":             {"", math.MaxInt, []string{"calm", "spinner"}},
		"one server a release": {`"maxItems": 1, `, 1, []string{"spinner"}},
		"as many as there are": {`"maxItems": 2, `, 2, []string{"calm", "spinner"}},
	} {
		t.Run(name, func(t *testing.T) {
			chart, err := newChart(&chartv2.Chart{
				Metadata: &chartv2.Metadata{Name: "small"},
				Values:   map[string]any{"server": map[string]any{"types": []any{"spinner"}}},
				Schema:   []byte(`{"properties": {"server": {"properties": {"types": {` + test.limit + `"items": {"enum": ["calm", "spinner"]}}}}}}`),
			})
			require.NoError(t, err)
			assert.Equal(t, test.most, chart.MostServers())
			assert.Equal(t, test.want, chart.ServersTogether())
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

func TestAValueThatNobodyKnowsIsAnsweredWithTheNearest(t *testing.T) {
	chart, err := NewCatalogue("../../../charts").Open("cassandra")
	require.NoError(t, err)
	cql, err := NewCatalogue("../../../charts").Open("cassandra-cql")
	require.NoError(t, err)
	_, err = cql.Settle(map[string]any{"cassandra": map[string]any{"concurent_reads": 64}})
	assert.ErrorContains(t, err, "cassandra.concurent_reads, did you mean concurrent_reads?", "its settings depend on the servers")
	for name, test := range map[string]struct {
		values map[string]any
		says   string
	}{
		"a misspelt setting":     {map[string]any{"cassandra": map[string]any{"concurent_reads": 64}}, "'concurent_reads' not allowed; cassandra.concurent_reads, did you mean concurrent_reads?"},
		"a setting of 4.1":       {map[string]any{"cassandra": map[string]any{"compaction_throughput": "64MiB/s"}}, "cassandra.compaction_throughput, did you mean compaction_throughput_mb_per_sec?"},
		"a timeout of 4.1":       {map[string]any{"cassandra": map[string]any{"read_request_timeout": "5s"}}, "cassandra.read_request_timeout, did you mean read_request_timeout_in_ms?"},
		"a value":                {map[string]any{"replicationfactor": 3}, "replicationfactor, did you mean replicationFactor?"},
		"a value within another": {map[string]any{"heap": map[string]any{"maximum": "1G"}}, "additional properties 'maximum' not allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := chart.Settle(test.values)
			require.ErrorContains(t, err, test.says)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
	_, err = chart.Settle(map[string]any{"heap": map[string]any{"maximum": "1G"}})
	assert.NotContains(t, err.Error(), "did you mean", "nothing is similar")
	_, err = chart.Settle(map[string]any{"cassandra": map[string]any{"concurrent_reads": "64"}})
	assert.ErrorContains(t, err, "at '/cassandra/concurrent_reads': got string, want integer")
	assert.NotContains(t, err.Error(), "did you mean", "it is known")
}

const house = "../../.."

// A server that the documentation lists and the chart rejects, or the reverse, misleads a new user.
func TestTheDocumentedServersAreThoseOfTheChart(t *testing.T) {
	chart, err := NewCatalogue(house + "/charts").Open("cassandra")
	require.NoError(t, err)
	classes := map[string]string{}
	for _, server := range chart.ServerTypes() {
		classes[server] = chart.ExpectedClass(server)
	}
	documented := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| `([\\w.]+)` \\|").FindAllStringSubmatch(section(t, "docs/experiments.md", "## Servers"), -1) {
		documented[row[1]] = row[2]
	}
	assert.Equal(t, classes, documented)
}

func TestTheReadmeNamesTheCassandraOfTheChart(t *testing.T) {
	chart, err := NewCatalogue(house + "/charts").Open("cassandra")
	require.NoError(t, err)
	assert.Contains(t, section(t, "README.md", "## Limits"), "Cassandra is "+chart.AppVersion())
}

// section returns the text of a page from a heading to the next one of its level or above.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	text, err := os.ReadFile(house + "/" + page)
	require.NoError(t, err)
	_, after, found := strings.Cut("\n"+string(text), "\n"+heading+"\n")
	require.True(t, found, "%s has no heading %q", page, heading)
	before, _, _ := strings.Cut(after, "\n## ")
	return before
}

func TestReadsInWhatUnitsAStoreIsTold(t *testing.T) {
	for name, test := range map[string]struct {
		annotations string
		want        *v1beta1.Units
	}{
		"nothing said": {"", nil},
		"a word":       {"ringside.dev/operations: packets", &v1beta1.Units{Operations: "packets"}},
		"microseconds": {"ringside.dev/latency-unit: us", &v1beta1.Units{Latency: v1beta1.LatencyMicros}},
		"both":         {"ringside.dev/operations: puts and gets, ringside.dev/latency-unit: ms", &v1beta1.Units{Operations: "puts and gets", Latency: v1beta1.LatencyMillis}},
	} {
		t.Run(name, func(t *testing.T) {
			chart, err := small(t, test.annotations)
			require.NoError(t, err)
			assert.Equal(t, test.want, chart.Units())
		})
	}
}

func TestReadsWhichServersAreMeasuredAlone(t *testing.T) {
	chart, err := small(t, `ringside.dev/exclusive-servers: "spinner, calm"`)
	require.NoError(t, err)
	assert.True(t, chart.Exclusive("spinner"))
	assert.True(t, chart.Exclusive("calm"))
	chart, err = small(t, "")
	require.NoError(t, err)
	assert.False(t, chart.Exclusive("spinner"))
}

func TestAChartThatBreaksTheContractIsRefusedInOneLine(t *testing.T) {
	for name, test := range map[string]struct{ annotations, says string }{
		"a unit of no latency": {"ringside.dev/latency-unit: minutes",
			`store chart small cannot be used: its annotation ringside.dev/latency-unit is "minutes": use ms or us`},
		"no word": {"ringside.dev/operations: Req/s",
			`store chart small cannot be used: its annotation ringside.dev/operations is "Req/s": use a plural in lowercase letters, such as requests`},
		"a server that there is not": {"ringside.dev/exclusive-servers: spiner",
			`store chart small cannot be used: its annotation ringside.dev/exclusive-servers names a server "spiner", but its values.schema.json does not`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := small(t, test.annotations)
			assert.EqualError(t, err, test.says)
		})
	}
}

func small(t *testing.T, annotations string) (*Chart, error) {
	t.Helper()
	return smallWith(t, annotations, "")
}

func smallWith(t *testing.T, annotations, values string) (*Chart, error) {
	t.Helper()
	charts := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(charts, "small"), 0o700))
	for name, text := range map[string]string{
		"values.yaml":        values,
		"Chart.yaml":         "{apiVersion: v2, name: small, version: 0.1.0, annotations: {ringside.dev/kind: store, " + annotations + "}}",
		"values.schema.json": `{"properties": {"server": {"properties": {"types": {"items": {"enum": ["calm", "spinner"]}}}}}}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(charts, "small", name), []byte(text), 0o600))
	}
	return NewCatalogue(charts).Open("small")
}
