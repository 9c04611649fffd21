// Command generate writes docs/reference of the repository whose root is given.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"ringside.dev/ringside/operators/internal/reference"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "generate: no repository was named; use: generate ROOT")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(root string) error {
	pages, err := reference.Pages(root)
	if err != nil {
		return err
	}
	folder := filepath.Join(root, reference.Folder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("make the folder of the pages: %w", err)
	}
	for _, page := range pages {
		if err := os.WriteFile(filepath.Join(folder, page.File), page.Text, 0o644); err != nil {
			return fmt.Errorf("write the page: %w", err)
		}
	}
	return nil
}
