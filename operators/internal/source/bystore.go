package source

import (
	"fmt"
	"io/fs"

	"sigs.k8s.io/yaml"
)

// ByStore reads documents about one store each, by store: the YAML files of a folder. To add a store, add a file. Unknown fields, a document without a
// store and a second document of a store are errors that name the file.
func ByStore[T any](from fs.FS, storeOf func(T) string) (map[string]T, error) {
	files, err := fs.Glob(from, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list the documents of stores: %w", err)
	}
	documents := map[string]T{}
	for _, file := range files {
		text, err := fs.ReadFile(from, file)
		if err != nil {
			return nil, fmt.Errorf("read the document of a store: %w", err)
		}
		var document T
		if err := yaml.UnmarshalStrict(text, &document); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		store := storeOf(document)
		if _, twice := documents[store]; twice || store == "" {
			return nil, fmt.Errorf("%s: store %q is empty, or another file's", file, store)
		}
		documents[store] = document
	}
	return documents, nil
}
