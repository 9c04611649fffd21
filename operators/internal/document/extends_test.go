package document

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/source"
)

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
