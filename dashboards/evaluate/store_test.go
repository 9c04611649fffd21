package evaluate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/dashboards/tags"
)

func TestAsksThePagesOfTheStoreThatRan(t *testing.T) {
	pages := []Dashboard{{File: "any.json", Tags: tags.Of()}, {File: "own.json", Tags: tags.Of("a", "b")}, {File: "other.json", Tags: tags.Of("c")}}
	files := func(store string) (files []string) {
		for _, d := range OfStore(pages, store) {
			files = append(files, d.File)
		}
		return files
	}
	assert.Equal(t, []string{"any.json", "own.json"}, files("b"))
	assert.Equal(t, []string{"any.json"}, files("d"))

	knows := prometheus(t, map[string]string{"store of info": `["b"]`, "store of two": `["a","b"]`, "store of none": `[]`})
	store, err := StoreOf(t.Context(), knows, "info", halfAnHour)
	require.NoError(t, err)
	assert.Equal(t, "b", store)
	_, err = StoreOf(t.Context(), knows, "two", halfAnHour)
	assert.EqualError(t, err, "two is of 2 stores ([a b]): a run has one")
	_, err = StoreOf(t.Context(), knows, "none", halfAnHour)
	assert.EqualError(t, err, "none is of 0 stores ([]): a run has one")
	_, err = StoreOf(t.Context(), knows, "else", halfAnHour)
	assert.ErrorContains(t, err, "ask which store else is of: ")
}

func TestReadsWhichStoresAPageIsFor(t *testing.T) {
	page, err := Parse("page.json", []byte(`{"title": "Page", "tags": ["ringside", "store:a"]}`))
	require.NoError(t, err)
	assert.Equal(t, tags.Of("a"), page.Tags)
}
