// Command generate writes the README of each chart in a folder of charts.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"ringside.dev/ringside/charts/internal/readme"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "generate: name the folder of charts")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(charts string) error {
	all, err := filepath.Glob(filepath.Join(charts, "*", "Chart.yaml"))
	if err != nil {
		return fmt.Errorf("look for charts: %w", err)
	}
	for _, file := range all {
		folder := filepath.Dir(file)
		page, err := readme.Of(folder)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, readme.File), page, 0o644); err != nil {
			return fmt.Errorf("write the chart's README: %w", err)
		}
	}
	return nil
}
