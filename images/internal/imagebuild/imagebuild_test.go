package imagebuild

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), mode))
	require.NoError(t, os.Chmod(path, mode))
}

func TestTellsTheChartsWhatWasBuilt(t *testing.T) {
	m := Manifest{}.
		With(Image{Name: "stress", Registry: "r", Tag: "old"}).
		With(Image{Name: "prometheus", Registry: "r", Tag: "p", Version: "3.5.0", Digests: []string{"sha256:3"}}).
		With(Image{Name: "stress", Registry: "r", Tag: "s", Digests: []string{"sha256:1"}})
	_, err := m.OperatorValues()
	assert.ErrorContains(t, err, "run 'make images'")
	m = m.With(Image{Name: "operator", Registry: "r", Tag: "o", Digests: []string{"sha256:2"}}).
		With(Image{Name: "cassandra", Registry: "r", Tag: "c", Digests: []string{"sha256:4"}, PluginSHA256: "ab"})
	values, err := m.OperatorValues()
	require.NoError(t, err)
	assert.Equal(t, map[string]any{
		"image": map[string]any{"registry": "r", "tag": "o"},
		"images": map[string]any{"digests": map[string]any{
			"cassandra":  map[string]any{"tag": "c", "image": []string{"sha256:4"}, "plugin": "ab"},
			"operator":   map[string]any{"tag": "o", "image": []string{"sha256:2"}},
			"prometheus": map[string]any{"tag": "p", "image": []string{"sha256:3"}},
			"stress":     map[string]any{"tag": "s", "image": []string{"sha256:1"}},
		}},
	}, values)
	assert.Equal(t, map[string]any{"prometheus": map[string]any{
		"image": map[string]any{"registry": "r", "repository": "ringside-prometheus", "tag": "p"}, "version": "3.5.0",
	}}, monitoring(t, m))
}

func monitoring(t *testing.T, m Manifest) map[string]any {
	t.Helper()
	values, err := m.MonitoringValues()
	require.NoError(t, err)
	return values
}

// A clone that has run the embedded cluster has the images for it in its manifest too.
func TestTellsAClusterNothingOfImagesForAnotherRegistry(t *testing.T) {
	m := Manifest{}.
		With(Image{Name: "prometheus", Registry: LocalRegistry, Tag: "p", Version: "3.5.0"}).
		With(Image{Name: "stub", Registry: LocalRegistry, Tag: "s", Digests: []string{"sha256:1"}}).
		With(Image{Name: "operator", Registry: "registry.example/team", Tag: "o", Digests: []string{"sha256:2"}})
	values, err := m.OperatorValues()
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"digests": map[string]any{
		"operator": map[string]any{"tag": "o", "image": []string{"sha256:2"}},
	}}, values["images"], "a stub that was never pushed has no tag there")
	assert.Empty(t, monitoring(t, m), "the public Prometheus, not one that no node can pull")
}

func TestPicksTheImagesOfAnExperiment(t *testing.T) {
	all := []string{"cassandra", "cassandra-load", "operator", "prometheus", "stress", "stub", "ycsb"}
	document := filepath.Join(t.TempDir(), "experiment.yaml")
	write(t, document, "spec: {store: {chart: stub}, load: {image: registry.example/mine:1}}\n", 0o644)
	names, err := Needed(Choice{Experiment: document}, all)
	require.NoError(t, err)
	assert.Equal(t, []string{"operator", "prometheus", "stub"}, names, "what others made is theirs to provide")
	assert.Equal(t, []string{"operator", "stub"}, WithoutPublic(names))
	write(t, document, "spec: {store: {chart: cassandra}, load: {image: cassandra-load}, phases: [{name: fill, image: stress}, {name: read}]}\n", 0o644)
	names, err = Needed(Choice{Experiment: document}, all)
	require.NoError(t, err)
	assert.Equal(t, []string{"cassandra", "cassandra-load", "operator", "prometheus", "stress"}, names, "a phase may have a load of its own")
	write(t, document, "spec: {store: {chart: stub, values: {nodes: 1, ycsb: {enabled: true}, stress: {enabled: false}, metrics: {enabled: true}}}, load: {image: stress}}\n", 0o644)
	names, err = Needed(Choice{Experiment: document}, all)
	require.NoError(t, err)
	assert.Equal(t, []string{"operator", "prometheus", "stress", "stub", "ycsb"}, names, "a companion that is switched on")
}

func TestPicksTheImagesOfTheServersThatRun(t *testing.T) {
	all := []string{"cassandra-cql", "cassandra-cql-java11", "cql-load", "operator", "prometheus", "stub"}
	const document = "../../../experiments/cassandra-versions.yaml"
	for servers, want := range map[string][]string{
		"":               {"cassandra-cql", "cassandra-cql-java11"},
		"v41":            {"cassandra-cql-java11"},
		"v41, v41-again": {"cassandra-cql-java11"},
		"v41,v50":        {"cassandra-cql", "cassandra-cql-java11"},
		"v50":            {"cassandra-cql"},
		"v50-bti":        {"cassandra-cql"}, // a server that the file does not list
		"v50-java11":     {"cassandra-cql-java11"},
		"nonsense":       {"cassandra-cql"}, // which ringside check rejects
	} {
		names, err := Needed(Choice{Experiment: document, Servers: servers, Charts: "../../../charts"}, all)
		require.NoError(t, err)
		assert.Equal(t, append(want, "cql-load", "operator", "prometheus"), names, servers)
	}
}

func TestFindsTheImagesOfEveryDocument(t *testing.T) {
	all, err := All("../..")
	require.NoError(t, err)
	documents, err := filepath.Glob("../../../experiments/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, documents)
	for _, document := range documents {
		names, err := Needed(Choice{Experiment: document, Charts: "../../../charts"}, all)
		require.NoError(t, err)
		loads := 1
		switch filepath.Base(document) {
		case "cassandra-crosscheck.yaml":
			loads = 2
		case "cassandra-cql-crosscheck.yaml":
			loads = 3
		}
		companions := 0
		switch filepath.Base(document) {
		case "trip-kafka.yaml", "cassandra-versions.yaml", "cassandra-cql-crosscheck.yaml", "cassandra-operations.yaml":
			companions = 1
		}
		assert.Len(t, names, 3+loads+companions, "%s: operator, Prometheus, its store with its companions, and its loads; there are %v", document, names)
	}
}

func TestAJoiningStoresImageIsFoundByItsFolder(t *testing.T) {
	const joining = "../../../operators/e2e/testdata/crier"
	ours, err := All("../..")
	require.NoError(t, err)
	its, err := All(filepath.Join(joining, "images"))
	require.NoError(t, err)
	names, err := Needed(Choice{Experiment: filepath.Join(joining, "experiments/crier.yaml"), Charts: "../../../charts"}, append(its, ours...))
	require.NoError(t, err)
	assert.Equal(t, []string{"crier", "operator", "prometheus", "udp-load"}, names)
}

func TestAnImageApartIsBuiltOnlyIfItIsAskedFor(t *testing.T) {
	folder := t.TempDir()
	const described = "user: \"1:1\"\nentrypoint: [x]\n"
	write(t, filepath.Join(folder, "quick", specFile), described, 0o644)
	write(t, filepath.Join(folder, "slow", specFile), described+"apart: true\n", 0o644)
	document := filepath.Join(t.TempDir(), "experiment.yaml")
	write(t, document, "spec: {load: {image: slow}}\n", 0o644)
	for _, test := range []struct {
		choice Choice
		names  []string
		want   []string
	}{
		{want: []string{"quick"}},
		{names: []string{"slow"}, want: []string{"slow"}},
		{choice: Choice{Experiment: document}, want: []string{"slow"}},
	} {
		names, err := Select(folder, test.choice, test.names)
		require.NoError(t, err)
		assert.Equal(t, test.want, names)
	}
}

func TestRefusesAnImageThatDoesNotExist(t *testing.T) {
	_, err := Select("../..", Choice{}, []string{"casandra"})
	all, allErr := All("../..")
	require.NoError(t, allErr)
	assert.ErrorContains(t, err, `no image is named "casandra"; there are: `+strings.Join(all, ", "))
}
