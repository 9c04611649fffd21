package published

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"ringside.dev/ringside/operators/internal/bystore"
)

// comparison is a file.
type comparison struct {
	Store string `json:"store"`
	Setup string `json:"setup"`
	// Servers are the published ones that ours are laid beside, by the name of an arm or by a type.
	Servers map[string]string `json:"servers"`
	Figures []Figure          `json:"figures"`
	Said    []Saying          `json:"said"`
}

//go:embed *.yaml
var documents embed.FS

// all reads the documents, by store. They are compiled in: that they can be read is the tests' to show.
var all = sync.OnceValue(func() map[string]comparison {
	comparisons, err := read(documents)
	if err != nil {
		panic(fmt.Sprintf("the published figures cannot be read: %v", err))
	}
	return comparisons
})

func read(from fs.FS) (map[string]comparison, error) {
	return bystore.Read(from, func(c comparison) string { return c.Store })
}
