package published

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"ringside.dev/ringside/operators/internal/source"
)

// comparison is the content of a file.
type comparison struct {
	Store string `json:"store"`
	Setup string `json:"setup"`
	// Servers maps our servers, by name or by type, to published ones.
	Servers map[string]string `json:"servers"`
	Figures []Figure          `json:"figures"`
	Said    []Saying          `json:"said"`
}

//go:embed *.yaml
var documents embed.FS

// all returns the documents by store. They are compiled in; a test verifies that they can be read.
var all = sync.OnceValue(func() map[string]comparison {
	comparisons, err := read(documents)
	if err != nil {
		panic(fmt.Sprintf("the published figures cannot be read: %v", err))
	}
	return comparisons
})

func read(from fs.FS) (map[string]comparison, error) {
	return source.ByStore(from, func(c comparison) string { return c.Store })
}
