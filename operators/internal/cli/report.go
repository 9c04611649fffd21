package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/report"
)

func (a *App) reportCommand() *cobra.Command {
	var where place
	var out, forest string
	cmd := &cobra.Command{
		Use:   "report [RUN|FOLDER|BUNDLE|s3://...]",
		Short: "Write a run's report: one HTML file that needs nothing else (the latest run by default)",
		Long: "Write a run's report as one HTML file that needs nothing else: next to measurements.csv, or next to the bundle.\n" +
			"A run that is half finished or of another version is shown as far as it goes. --forest also writes the drawing of all\n" +
			"verdicts as an SVG file for a page of documentation, readable on a light and on a dark background.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: a.interruptible(func(ctx context.Context, args []string) error {
			location, run, err := a.readRun(ctx, first(args), where.results)
			if err != nil {
				return err
			}
			if run.Lacks != "" {
				a.printf("%s: %s", location, run.Lacks)
			}
			page := report.Build(run)
			text, err := renderReport(page)
			if err != nil {
				return err
			}
			if forest != "" {
				if err := writeForest(forest, page); err != nil {
					return err
				}
			}
			if out, err = writeReport(location, out, text); err != nil {
				return err
			}
			fmt.Fprintln(a.Out, out)
			return nil
		}),
	}
	where.bindResults(cmd)
	cmd.ValidArgsFunction = completeRuns(&where)
	cmd.Flags().StringVar(&out, "out", "", "`file` to write (default: report.html next to the run)")
	cmd.Flags().StringVar(&forest, "forest", "", "SVG `file` to write the forest plot of all primary metrics to")
	return cmd
}

func renderReport(page *report.Page) ([]byte, error) {
	var text bytes.Buffer
	err := report.Write(&text, page)
	return text.Bytes(), err
}

func writeForest(file string, page *report.Page) error {
	var text bytes.Buffer
	if err := report.WriteForest(&text, page); errors.Is(err, report.ErrNothingCompared) {
		return fail(exitBadInput, "drawing %s: %w; choose a run of two servers or more", file, err)
	} else if err != nil {
		return err
	}
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		return fmt.Errorf("writing the forest plot: %w", err)
	}
	return nil
}

// writeReport writes report.html in a run's folder, or <bundle's name>.html next to a bundle, and returns its path.
func writeReport(location, out string, text []byte) (string, error) {
	if info, err := os.Stat(location); out == "" && err == nil && info.IsDir() {
		return filepath.Join(location, archive.ReportFile), archive.Folder{Path: location}.Replace(archive.ReportFile, text)
	}
	if out == "" {
		out = archive.BundleName(location) + ".html"
	}
	if err := os.WriteFile(out, text, 0o644); err != nil {
		return "", fmt.Errorf("writing the report: %w", err)
	}
	return out, nil
}
