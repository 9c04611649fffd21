package document

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/problem"
	"ringside.dev/ringside/operators/internal/source"
	"ringside.dev/ringside/operators/internal/storechart"
	"ringside.dev/ringside/operators/internal/validation"
)

func TestInterleavedPhaseIsHeldAgainstWhatItTakes(t *testing.T) {
	const shared = "spec.store.hosting=Shared,spec.phases.read.duration=120s"
	for name, test := range map[string]struct {
		set, servers, want string // a part of the problem
	}{
		"good":        {shared + ",spec.phases.read.interleave={}", "", ""},
		"a good duet": {shared + ",spec.phases.read.interleave={mode: Duet}", "", ""},
		"by CPU time": {shared + ",spec.phases.read.interleave={},spec.phases.read.primaryMetric=cpu_per_op_us", "", ""},
		"by the CPU time of two at once": {shared + ",spec.phases.read.interleave={mode: Duet},spec.phases.read.primaryMetric=cpu_per_op_us", "",
			"phase read: primary metric cpu_per_op_us needs interleaved windows of one server at a time:"},
		"just so long": {shared + ",spec.phases.read.interleave={window: 20s}", "", ""},
		"a store for each": {"spec.phases.read.duration=120s,spec.phases.read.interleave={}", "",
			"phase read is interleaved, which needs all servers at once, but hosting is Dedicated: --set"},
		"two load pods": {shared + ",spec.phases.read.interleave={},spec.load.pods=2", "",
			"phase read is interleaved, which needs one load pod, but there are 2: --set spec.load.pods=1"},
		"one server": {shared + ",spec.phases.read.interleave={}", "slow",
			"phase read is interleaved, which needs two or more servers: name two or more with --server (SERVER=),"},
		"every server made warm": {shared + ",spec.phases.read.interleave={},spec.phases.read.type=Prepare", "", ""},
		"one block": {shared + ",spec.phases.read.interleave={window: 21s}", "",
			"phase read has 2m0s for windows of 21s of 3 servers, less than two for each: use 2m6s or more, or"},
		"windows too short": {shared + ",spec.phases.read.interleave={window: 99ms}", "",
			"phase read is interleaved in windows of 99ms: use whole milliseconds from 100ms to 1m0s"},
		"windows too long": {shared + ",spec.phases.read.interleave={window: 61s}", "",
			"phase read is interleaved in windows of 1m1s: use whole milliseconds from 100ms to 1m0s"},
		"a lead-in": {shared + ",spec.phases.read.interleave={leadIn: 250ms}", "", ""},
		"a broken lead-in": {shared + ",spec.phases.read.interleave={leadIn: 1500us}", "",
			"phase read is interleaved in windows after a lead-in of 1.5ms: use whole milliseconds up to 1m0s, or"},
		"windows too long with what leads into them": {shared + ",spec.phases.read.interleave={window: 20s, leadIn: 1s}", "",
			"phase read has 2m0s for windows of 21s of 3 servers, less than two for each: use 2m6s or more, or"},
		"a lead-in to a search": {shared + ",spec.phases.read.interleave={leadIn: 250ms},spec.phases.read.type=Capacity,spec.phases.read.capacity={percentile: '99', bound: 100ms, from: 500, step: 1s}", "",
			"phase read searches for a capacity, which has no lead-in: remove spec.phases.read.interleave.leadIn"},
		"a broken warm-up": {shared + ",spec.phases.read.interleave={warmup: 1500ms}", "",
			"phase read is interleaved after a warm-up of 1.5s: use whole seconds up to 1h0m0s"},
		"connections opened again":            {shared + ",spec.phases.read.interleave={reconnect: true}", "", ""},
		"opened again in just so many pieces": {shared + ",spec.phases.read.interleave={window: 10s, reconnect: true}", "", ""},
		"opened again in a search": {shared + ",spec.phases.read.interleave={reconnect: true},spec.phases.read.type=Capacity,spec.phases.read.capacity={percentile: '99', bound: 100ms, from: 500, step: 1s}", "",
			"phase read searches for a capacity, which has no pieces to reconnect for: remove"},
		"a duet of odd threads": {shared + ",spec.phases.read.interleave={mode: Duet},spec.phases.read.threads=5", "",
			"phase read is a duet, which halves the threads, but has 5: use 6"},
		"one connection, two arms": {shared + ",spec.phases.read.interleave={},spec.phases.write.threads=1,spec.phases.read.threads=1,spec.servers=[{name: simple}, {name: again, type: simple}],spec.baseline=simple", "",
			"servers simple and again are the same simple, which serves one connection at a time, but interleaved"},
	} {
		t.Run(name, func(t *testing.T) {
			found := problemsOf(t, test.set, test.servers, true)
			if test.want == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			assert.Contains(t, found[0], test.want)
		})
	}
}

// joining is a store that consists of a chart, an image and a document; the end-to-end tests run it.
const joining = house + "/operators/e2e/testdata/crier"

func TestAStoreJoinsByAChartAnImageAndADocument(t *testing.T) {
	charts := filepath.Join(joining, "charts")
	d := only(t, filepath.Join(joining, "experiments/crier.yaml"))
	problems, err := theAPI(t).Complete(t.Context(), d)
	require.NoError(t, err)
	require.Empty(t, problems)
	e, err := d.Experiment()
	require.NoError(t, err)
	chart, err := storechart.NewCatalogue(charts).Open("crier")
	require.NoError(t, err)
	assert.Empty(t, validation.Check(e, validation.Charts{e.Spec.Store.Chart: chart}, loadgen.NewCatalogue(house+"/images"), storechart.SomeImages()))
	assert.Equal(t, &v1beta1.Units{Operations: "shouts", Latency: v1beta1.LatencyMicros}, chart.Units())
	assert.Len(t, plan.Build(e, 1).Cells(), 2)

	// Its own errors are reported too.
	e.Spec.Servers[0].Type = "python"
	assert.Equal(t, []problem.Problem{{Reason: v1beta1.RefusedUnknownServer, What: `store crier has no server "python"`, Fix: "choose from perl"}}, validation.Check(e, validation.Charts{e.Spec.Store.Chart: chart}, loadgen.NewCatalogue(house+"/images"), storechart.SomeImages()))
}

// If Go code contained a store's name, the store could not be removed; with a load's name, other loads could not have
// the same features.
func TestNoGoCodeKnowsAStoreOrALoadByName(t *testing.T) {
	names := namesOfStoresAndLoads(t)
	word := regexp.MustCompile(`(^|[^a-z0-9])(` + strings.Join(names, "|") + `)($|[^a-z0-9])`)
	// Pages of one store's own figures, and a simulated run for tests.
	own := map[string]bool{"dashboards/cassandra.go": true, "dashboards/all.go": true, "operators/metrics/store.go": true, "operators/internal/runs/simulated/archive.go": true}
	for _, folder := range []string{"operators", "dashboards", "cluster", "images/internal", "images/cmd", "charts/internal"} {
		err := filepath.WalkDir(filepath.Join(house, folder), func(path string, entry fs.DirEntry, err error) error {
			name, _ := filepath.Rel(house, path)
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || own[filepath.ToSlash(name)] {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(node ast.Node) bool {
				if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					text, _ := strconv.Unquote(literal.Value)
					assert.False(t, word.MatchString(strings.ToLower(text)) && !strings.HasPrefix(text, "ringside.dev/"), "%s has %s", name, literal.Value)
				}
				return true
			})
			return nil
		})
		require.NoError(t, err)
	}
}

func namesOfStoresAndLoads(t *testing.T) []string {
	t.Helper()
	names, err := storechart.NewCatalogue(filepath.Join(house, "charts")).Stores()
	require.NoError(t, err)
	paths, err := filepath.Glob(filepath.Join(house, "experiments/*.yaml"))
	require.NoError(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var document struct {
			Spec struct{ Load struct{ Image string } }
		}
		require.NoError(t, yaml.Unmarshal(text, &document))
		names = append(names, document.Spec.Load.Image)
	}
	require.Contains(t, names, "udp-echo")
	return names
}

const profileHead = "apiVersion: ringside.dev/v1beta1\nkind: Profile\n"

// profiles writes profiles into a folder, and returns it.
func profiles(t *testing.T, texts map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range texts {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name+".yaml"), []byte(profileHead+text), 0o600))
	}
	return folder
}

func TestAProfileComesAfterTheOneThatItExtends(t *testing.T) {
	base := profiles(t, map[string]string{"base": "metadata: {name: base}\nnote: on one machine\npatches:\n- patch: {spec: {keys: 5, rounds: 2}}\n"})
	own := profiles(t, map[string]string{
		"middle": "metadata: {name: middle}\nextends: base\n",
		"top":    "metadata: {name: top}\nextends: middle\npatches:\n- patch: {spec: {keys: 7}}\n- match: {store: another}\n  patch: {spec: {rounds: 9}}\n",
	})
	profile, err := ReadProfile(filepath.Join(own, "top.yaml"), source.Dir(base))
	require.NoError(t, err)
	assert.Equal(t, "top", profile.Metadata.Name)
	assert.Equal(t, "on one machine", profile.Note)
	require.Len(t, profile.Patches, 3)
	d := toy(t)
	_, err = profile.Apply(d, source.Dir("testdata"))
	require.NoError(t, err)
	e, err := d.Experiment()
	require.NoError(t, err)
	assert.EqualValues(t, 7, *e.Spec.Keys)
	assert.EqualValues(t, 2, e.Spec.Rounds)
}

func TestWhatAProfileCannotExtendIsNamed(t *testing.T) {
	folder := profiles(t, map[string]string{
		"a": "metadata: {name: a}\nextends: b\n", "b": "metadata: {name: b}\nextends: a\n",
		"lost": "metadata: {name: lost}\nextends: nowhere\n", "bad": "metadata: {name: bad}\nextends: worse\n", "worse": "metadata: {name: worse}\npatchs: []\n",
	})
	for name, says := range map[string]string{
		"a":    "profiles extend each other: a.yaml, b.yaml, a.yaml: remove one extends",
		"lost": `profile lost.yaml: extends: unknown profile "nowhere": choose from a, b, bad, lost, worse`,
		"bad":  `profile worse.yaml: unknown field "patchs": did you mean patches?`,
	} {
		t.Chdir(folder)
		_, err := ReadProfile(name + ".yaml")
		assert.ErrorContains(t, err, says)
	}
}

// Clusters of kind, k3d and minikube differ in the class of their volumes only.
func TestProfilesOfOneMachineDifferInTheClassOfTheirVolumes(t *testing.T) {
	read := func(name string) *Profile {
		profile, err := ReadProfile(name, source.Dir(house+"/charts/profiles"))
		require.NoError(t, err)
		return profile
	}
	base := read("one-machine")
	for name, class := range map[string]string{"kind": "standard", "k3d": "local-path", "minikube": "local-path"} {
		profile := read(name)
		assert.Equal(t, name, profile.Metadata.Name)
		assert.Equal(t, base.Note, profile.Note)
		require.Greater(t, len(profile.Patches), len(base.Patches))
		assert.Equal(t, base.Patches, profile.Patches[:len(base.Patches)])
		for _, patch := range profile.Patches[len(base.Patches):] {
			storage := map[string]any{"className": class}
			assert.Equal(t, map[string]any{"spec": map[string]any{"store": map[string]any{"values": map[string]any{"storage": storage}}}}, patch.Patch, patch.Match.Store)
		}
	}
}
