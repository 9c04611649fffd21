// Command generate writes the reference page of ringside-cluster to the named file.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"ringside.dev/ringside/cluster/internal/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "generate: no file was named; use: generate FILE")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(file string) error {
	page, err := cli.Reference()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make the folder of the page: %w", err)
	}
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}
