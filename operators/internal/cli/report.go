package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/report"
)

func (a *App) reportCommand() *cobra.Command {
	var where place
	var out string
	cmd := &cobra.Command{
		Use:   "report [RUN|FOLDER|BUNDLE|s3://...]",
		Short: "Write a run's report: one HTML file that needs nothing else (the latest run by default)",
		Long: "Write a run's report as one HTML file that needs nothing else: beside measurements.csv, or beside the bundle.\n" +
			"A run that is half finished or of another version is shown as far as it goes.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: a.interruptible(func(ctx context.Context, args []string) error {
			location, run, err := a.readRun(ctx, first(args), where.results)
			if err != nil {
				return err
			}
			if run.Lacks != "" {
				a.tell("%s: %s", location, run.Lacks)
			}
			text, err := renderReport(run)
			if err != nil {
				return err
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
	cmd.Flags().StringVar(&out, "out", "", "`file` to write (default: report.html beside the run)")
	return cmd
}

func renderReport(run *archive.Run) ([]byte, error) {
	var text bytes.Buffer
	err := report.Write(&text, report.Build(run))
	return text.Bytes(), err
}

// writeReport writes report.html in a run's folder, or <bundle's name>.html beside a bundle, and says where.
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
