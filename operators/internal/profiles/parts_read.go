package profiles

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"ringside.dev/ringside/operators/internal/source"
)

// document is a file with the parts of a store.
type document struct {
	Store string `json:"store"`
	Parts []struct {
		Name string `json:"name"`
		// Threads are regular expressions for the beginning of the name of a group of threads, Frames for the beginning
		// of calls.
		Threads []string `json:"threads"`
		Frames  []string `json:"frames"`
	} `json:"parts"`
}

//go:embed *.yaml
var documents embed.FS

// all returns the documents by store. They are compiled in; a test verifies that they can be read.
var all = sync.OnceValue(func() map[string]Parts {
	stores, err := read(documents)
	if err != nil {
		panic(fmt.Sprintf("the parts of stores cannot be read: %v", err))
	}
	return stores
})

func read(from fs.FS) (map[string]Parts, error) {
	read, err := source.ByStore(from, func(d document) string { return d.Store })
	if err != nil {
		return nil, err
	}
	stores := map[string]Parts{}
	for store, d := range read {
		for _, said := range d.Parts {
			part := Part{Name: said.Name}
			if part.threads, err = beginning(said.Threads); err != nil {
				return nil, fmt.Errorf("threads of %s of store %s: %w", said.Name, store, err)
			}
			if part.frames, err = beginning(said.Frames); err != nil {
				return nil, fmt.Errorf("frames of %s of store %s: %w", said.Name, store, err)
			}
			stores[store] = append(stores[store], part)
		}
	}
	return stores, nil
}

// beginning returns an expression that matches text that begins with one of the expressions; without expressions it
// matches nothing.
func beginning(expressions []string) (*regexp.Regexp, error) {
	if len(expressions) == 0 {
		expressions = []string{`\z.`}
	}
	return regexp.Compile(`^(?:` + strings.Join(expressions, "|") + `)`)
}
