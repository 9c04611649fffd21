package published

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"sigs.k8s.io/yaml"
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
	files, err := fs.Glob(from, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list the published comparisons: %w", err)
	}
	comparisons := map[string]comparison{}
	for _, file := range files {
		text, err := fs.ReadFile(from, file)
		if err != nil {
			return nil, fmt.Errorf("read a published comparison: %w", err)
		}
		var c comparison
		if err := yaml.UnmarshalStrict(text, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if _, twice := comparisons[c.Store]; twice || c.Store == "" {
			return nil, fmt.Errorf("%s: store %q is empty, or another file's", file, c.Store)
		}
		comparisons[c.Store] = c
	}
	return comparisons, nil
}
