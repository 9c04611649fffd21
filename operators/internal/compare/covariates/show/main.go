// Command show prints what explains the noise of finished runs, whose folders or bundles are given.
package main

import (
	"fmt"
	"io"
	"os"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/compare/covariates"
	"ringside.dev/ringside/operators/internal/textfmt"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "show: no run was named; use: show RUN...")
		os.Exit(2)
	}
	for _, location := range os.Args[1:] {
		if err := show(os.Stdout, location); err != nil {
			fmt.Fprintf(os.Stderr, "show: explain run %s: %v\n", location, err)
			os.Exit(1)
		}
	}
}

func show(out io.Writer, location string) error {
	run, err := archive.Read(location)
	if err != nil {
		return err
	}
	findings, err := covariates.Explain(run)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "%s of %s\n", run.ID(), run.Name()); err != nil {
		return fmt.Errorf("print a table: %w", err)
	}
	return covariates.Table(findings).Write(out, textfmt.Wide, false)
}
