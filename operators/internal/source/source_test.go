package source

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheFirstSourceThatHasAFileGivesIt(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "mine.yaml"), []byte("own"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(folder, "folder.yaml"), 0o700))
	builtIn := BuiltIn(fstest.MapFS{"mine.yaml": {Data: []byte("theirs")}, "other.yaml": {Data: []byte("theirs")}, "folder.yaml": {Data: []byte("theirs")}})
	sources := []Source{Dir(folder), builtIn}
	for name, want := range map[string]struct{ path, text string }{
		"mine.yaml":   {filepath.Join(folder, "mine.yaml"), "own"},
		"other.yaml":  {"other.yaml (built in)", "theirs"},
		"folder.yaml": {"folder.yaml (built in)", "theirs"},
	} {
		file, found := Find(name, sources...)
		require.True(t, found, name)
		assert.Equal(t, want.path, file.Path)
		assert.Equal(t, want.path == name+" (built in)", file.BuiltIn)
		text, err := file.Read()
		require.NoError(t, err)
		assert.Equal(t, want.text, string(text))
	}
	for _, name := range []string{"nope.yaml", "../mine.yaml", "/mine.yaml", ""} {
		_, found := Find(name, sources...)
		assert.False(t, found, name)
	}
	assert.Equal(t, []string{"folder", "mine", "other"}, Names(".yaml", sources...))
}

func TestASourceThatDoesNotExistHasNoFiles(t *testing.T) {
	missing := Dir(filepath.Join(t.TempDir(), "nowhere"))
	_, found := Find("a.yaml", missing, missing.Under("deeper"))
	assert.False(t, found)
	assert.Empty(t, Names(".yaml", missing, Dir(""), BuiltIn(fstest.MapFS{}).Under("deeper"), BuiltIn(fstest.MapFS{}).Under("../up")))
}

func TestAFolderOfASourceIsASource(t *testing.T) {
	file, found := Find("eks.yaml", BuiltIn(fstest.MapFS{"profiles/eks.yaml": {Data: []byte("x")}}).Under("profiles"))
	require.True(t, found)
	assert.Equal(t, "eks.yaml (built in)", file.Path)
}
