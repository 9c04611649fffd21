// Package reference generates pages of docs/reference from the code, so that each fact has one place: the code that acts on it. Its tests verify the
// links and the commands of all pages.
package reference

import (
	"flag"
	"fmt"
	"path/filepath"
)

//go:generate go test -count=1 -run TestEveryPageIsCurrent . -write

var write = flag.Bool("write", false, "write the pages")

// Folder of the pages, from the repository's root.
const Folder = "docs/reference"

// Page is a page of the folder.
type Page struct {
	File string
	Text []byte
}

// Pages generates all pages from the code of a repository whose root is given.
func Pages(root string) ([]Page, error) {
	var pages []Page
	for _, made := range []struct {
		file string
		make func(root string) (*page, error)
	}{
		{"crd.md", resources},
		{"conditions.md", conditions},
		{"gates.md", gatesPage},
		{"csv.md", columns},
		{"labels.md", labels},
	} {
		text, err := made.make(root)
		if err != nil {
			return nil, fmt.Errorf("generate %s: %w", filepath.Join(Folder, made.file), err)
		}
		pages = append(pages, Page{made.file, []byte(text.String())})
	}
	return pages, nil
}
