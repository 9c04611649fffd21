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

type document struct {
	Store string `json:"store"`
	Words string `json:"words"`
}

func storeOf(d document) string { return d.Store }

func TestReadsADocumentOfEachStore(t *testing.T) {
	documents, err := ByStore(fstest.MapFS{"a.yaml": {Data: []byte("{store: a, words: first}")}, "b.yaml": {Data: []byte("store: b")}, "README.md": {}}, storeOf)
	require.NoError(t, err)
	assert.Equal(t, map[string]document{"a": {"a", "first"}, "b": {Store: "b"}}, documents)
}

func TestRefusesWhatIsNotOneDocumentOfOneStore(t *testing.T) {
	for name, test := range map[string]struct{ first, second, says string }{
		"an unknown field":   {"store: a", "{store: b, word: x}", `b.yaml: error unmarshaling JSON: while decoding JSON: json: unknown field "word"`},
		"no store":           {"store: a", "words: x", `b.yaml: store "" is empty, or another file's`},
		"a store of another": {"store: a", "store: a", `b.yaml: store "a" is empty, or another file's`},
	} {
		_, err := ByStore(fstest.MapFS{"a.yaml": {Data: []byte(test.first)}, "b.yaml": {Data: []byte(test.second)}}, storeOf)
		assert.EqualError(t, err, test.says, name)
	}
}
