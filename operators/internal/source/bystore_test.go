package source

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
