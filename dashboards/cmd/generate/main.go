// Command generate writes the dashboards' JSON: go run ./dashboards/cmd/generate charts/monitoring/dashboards
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"ringside.dev/ringside/dashboards"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate FOLDER")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// generate writes the dashboards to the folder, and removes files of dashboards that no longer exist.
func generate(folder string) error {
	files, err := dashboards.All()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if _, current := files[filepath.Base(path)]; !current {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
