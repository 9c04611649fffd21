// Command generate writes the schemas of the values of charts, including the schemas of their stores' settings.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"ringside.dev/ringside/charts/internal/schemas"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "generate: name the folders of charts")
		os.Exit(2)
	}
	for _, folder := range os.Args[1:] {
		if err := generate(folder); err != nil {
			fmt.Fprintln(os.Stderr, "generate:", err)
			os.Exit(1)
		}
	}
}

func generate(folder string) error {
	schema, err := schemas.Of(folder)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, schemas.File), schema, 0o644); err != nil {
		return fmt.Errorf("write the schema of values: %w", err)
	}
	return nil
}
