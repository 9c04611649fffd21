package document

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/source"
)

func toy(t *testing.T) *Document {
	t.Helper()
	return only(t, "testdata/toy.yaml")
}

// only returns the only document of a file.
func only(t *testing.T, path string) *Document {
	t.Helper()
	all, err := Read(source.OnDisk(path))
	require.NoError(t, err)
	require.Len(t, all, 1)
	return all[0]
}

func writeFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "doc.yaml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestNamesTheFaultAndTheFixInOneLine(t *testing.T) {
	read := func(text string) func(*testing.T) error {
		return func(t *testing.T) error { _, err := Read(source.OnDisk(writeFile(t, text))); return err }
	}
	find := func(name string) func(*testing.T) error {
		return func(*testing.T) error { _, err := Find(name, source.Dir("testdata")); return err }
	}
	set := func(assignment string) func(*testing.T) error {
		return func(t *testing.T) error {
			d := toy(t)
			if err := d.Set(assignment); err != nil {
				return err
			}
			if _, err := d.Name(); err != nil {
				return err
			}
			_, err := d.Experiment()
			return err
		}
	}
	servers := func(names ...string) func(*testing.T) error {
		return func(t *testing.T) error { return toy(t).SelectServers(names, []string{"quick", "slow", "simple"}) }
	}
	const head = "{kind: Experiment, apiVersion: ringside.dev/v1beta1}\n"
	for name, test := range map[string]struct {
		do   func(t *testing.T) error
		want string
	}{
		"unknown experiment":      {find("nope"), `unknown experiment "nope": choose from toy`},
		"no experiment":           {find(""), "no experiment given: choose from toy"},
		"broken YAML":             {read("a: ["), "did not find expected node content"},
		"another kind":            {read("kind: Pod\napiVersion: v1"), `has kind "Pod": it must have kind: Experiment`},
		"another version":         {read("kind: Experiment\napiVersion: ringside.dev/v9"), `has apiVersion "ringside.dev/v9": this version of ringside supports apiVersion: ringside.dev/v1beta1`},
		"misspelt field":          {set("spec.operatons=5"), `unknown field "spec.operatons": did you mean spec.operations?`},
		"unknown server":          {servers("quik"), `unknown server "quik": choose from quick, slow, slow-again, simple`},
		"server named twice":      {servers("quick", "quick"), `server "quick" is named twice`},
		"set without value":       {set("spec.rounds"), `--set "spec.rounds": write it as path=value`},
		"set below a plain value": {set("spec.operations.many=1"), `"many" is not possible: there is a plain value, not a table`},
		"set of no element":       {set("spec.phases.scan.threads=1"), `"scan" is neither a name nor an index of that list, which has write, read`},
		"bad name":                {set("metadata.name=Toy_1"), `metadata.name "Toy_1" is not a valid name`},
		"a number for a name": {func(t *testing.T) error {
			_, err := only(t, writeFile(t, "{kind: Experiment, apiVersion: ringside.dev/v1beta1, metadata: {name: 7}}")).Name()
			return err
		}, "metadata.name is 7: set a name"},
		"a path that is absent":             {find("./nope.yaml"), "there is no file ./nope.yaml: check the path, or choose from toy"},
		"a folder":                          {find("testdata"), "testdata is a folder: choose a file in it: toy"},
		"an empty file":                     {read("# nothing\n---\n"), "is empty"},
		"a broken second document":          {read(head + "---\na: ["), "doc.yaml (document 2) is not valid YAML (line 1: did not find expected node content)"},
		"a second document of another kind": {read(head + "---\nkind: Pod\n"), `doc.yaml (document 2) has kind "Pod": it must have kind: Experiment`},
	} {
		t.Run(name, func(t *testing.T) {
			err := test.do(t)
			require.Error(t, err)
			assert.Contains(t, err.Error(), test.want)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestSelectsServersInTheGivenOrderAndDropsABaselineThatIsLeftOut(t *testing.T) {
	d := toy(t)
	require.NoError(t, d.SelectServers([]string{"slow-again", "quick", "simple"}, []string{"quick", "slow", "simple"}))
	experiment, err := d.Experiment()
	require.NoError(t, err)
	var names []string
	for _, server := range experiment.Spec.Servers {
		names = append(names, server.Name+"="+server.ServerType())
	}
	assert.Equal(t, []string{"slow-again=slow", "quick=quick", "simple=simple"}, names)
	assert.Equal(t, "slow-again", experiment.Spec.BaselineName())

	d = toy(t)
	require.NoError(t, d.SelectServers([]string{"quick", "slow"}, nil))
	experiment, err = d.Experiment()
	require.NoError(t, err)
	assert.Equal(t, "slow", experiment.Spec.BaselineName())
}

func TestSetsParametersAndOptionsAsTextUnderNamesWithDots(t *testing.T) {
	d := toy(t)
	for _, assignment := range []string{"spec.load.parameters.miss-ratio=1.50", "spec.load.parameters.packet.size=100", `spec.load.parameters.quoted="7"`,
		"spec.load.parameters.on=true", "spec.servers.quick.options.lingerMs=0", "spec.store.values.options.depth=3"} {
		require.NoError(t, d.Set(assignment), assignment)
	}
	var document struct {
		Spec struct {
			Load    struct{ Parameters map[string]any }
			Servers []struct{ Options map[string]any }
			Store   struct {
				Values struct{ Options map[string]any }
			}
		}
	}
	require.NoError(t, json.Unmarshal(d.json, &document))
	assert.Equal(t, map[string]any{"miss-ratio": "1.50", "packet.size": "100", "quoted": "7", "on": "true"}, document.Spec.Load.Parameters)
	assert.Equal(t, map[string]any{"lingerMs": "0"}, document.Spec.Servers[0].Options)
	assert.Equal(t, map[string]any{"depth": 3.0}, document.Spec.Store.Values.Options, "values are a chart's")
}

func TestSetsElementsOfListsByNameAndByIndex(t *testing.T) {
	d := toy(t)
	require.NoError(t, d.Set("spec.phases.read.threads=16"))
	require.NoError(t, d.Set("spec.phases.0.threads=8"))
	require.NoError(t, d.Set("spec.store.values.storage.size=5Gi"))
	experiment, err := d.Experiment()
	require.NoError(t, err)
	assert.EqualValues(t, 8, experiment.Spec.Phases[0].Threads)
	assert.EqualValues(t, 16, experiment.Spec.Phases[1].Threads)
	assert.JSONEq(t, `{"storage":{"size":"5Gi"}}`, string(experiment.Spec.Store.Values.Raw))
}

// The toy is the repository's: a copy with another name is the user's own, and one that is changed is so in part.
func TestProfile_keepsWhatTheUsersOwnFileSets(t *testing.T) {
	profile, err := ReadProfile(writeFile(t, `
apiVersion: ringside.dev/v1beta1
kind: Profile
metadata: {name: small}
note: small figures
patches:
  - match: {store: another}
    patch: {spec: {rounds: 30}}
  - match: {experiment: another}
    patch: {spec: {rounds: 40}}
  - patch: {spec: {operations: 10, gates: {disk: Warn}}}
  - match: {store: toystore}
    patch: {spec: {operations: 20, keys: 7, phases: [{name: read, threads: 3}, {name: scan, threads: 3}]}}
  - match: {store: toystore}
    override: true
    patch: {spec: {precision: null, rounds: 2}}
`))
	require.NoError(t, err)
	for name, test := range map[string]struct {
		set  string
		want []string
	}{
		"the repository's": {"", []string{"spec.gates.disk: Warn", "spec.keys: 7", "spec.operations: 20 instead of 1000", "spec.phases.read.threads: 3 instead of 10", "spec.rounds: 2"}},
		"a changed copy": {"spec.operations=500,spec.phases.read.threads=9,spec.rounds=8",
			[]string{"spec.gates.disk: Warn", "spec.keys: 7", "spec.rounds: 2 instead of 8"}},
		"another": {"metadata.name=mine", []string{"spec.gates.disk: Warn", "spec.keys: 7", "spec.rounds: 2"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := toy(t)
			if test.set != "" {
				require.NoError(t, d.Set(test.set))
			}
			before := d.JSON()
			skipped, err := profile.Apply(d, source.Dir("testdata"))
			require.NoError(t, err)
			assert.Equal(t, []string{"spec.phases.scan"}, skipped)
			changes, err := Changes(before, d.JSON())
			require.NoError(t, err)
			var got []string
			for _, change := range changes {
				got = append(got, change.String())
			}
			assert.Equal(t, test.want, got)
		})
	}
}

func TestRefusesAProfileWithAFieldThatDoesNotExist(t *testing.T) {
	_, err := ReadProfile(writeFile(t, "apiVersion: ringside.dev/v1beta1\nkind: Profile\npatchs: []\n"))
	assert.ErrorContains(t, err, `unknown field "patchs": did you mean patches?`)
}

func TestRefusesAProfileThatIsTwo(t *testing.T) {
	const one = "apiVersion: ringside.dev/v1beta1\nkind: Profile\npatches: []\n"
	_, err := ReadProfile(writeFile(t, one+"---\n"+one))
	assert.ErrorContains(t, err, "contains 2 documents, but a run accepts one: put each in its own file")
}

func TestReadsEachDocumentOfAFile(t *testing.T) {
	const head = "apiVersion: ringside.dev/v1beta1\nkind: Experiment\n"
	all, err := Read(source.OnDisk(writeFile(t, "---\n"+head+"metadata: {name: a}\n---\n# nothing\n---\n"+head+"metadata: {name: b}\n")))
	require.NoError(t, err)
	require.Len(t, all, 2)
	for i, want := range []string{"a", "b"} {
		name, err := all[i].Name()
		require.NoError(t, err)
		assert.Equal(t, want, name)
		assert.Contains(t, all[i].Path, fmt.Sprintf("doc.yaml (document %d)", i+1))
	}
}
