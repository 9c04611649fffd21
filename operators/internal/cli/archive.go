package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/archive/depot"
	"ringside.dev/ringside/operators/internal/problem"
)

const placesHelp = "an existing folder (a volume), or s3://bucket/prefix. The storage is that of AWS_ENDPOINT_URL (default: Amazon S3); credentials\n" +
	"come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_REGION, or from the AWS configuration files and AWS_PROFILE"

func (a *App) archiveCommand() *cobra.Command {
	var where place
	var to string
	cmd := &cobra.Command{
		Use:   "archive [RUN|FOLDER] --to PLACE",
		Short: "Copy an exported run to a folder or a bucket, where it can still be compared",
		Long: "Copy an exported run (the latest by default) to a place: " + placesHelp + ".\n" +
			"The run is stored in <place>/<experiment>/<run>/, as in the results folder, and its address is printed. An interrupted upload resumes.\n" +
			"Another run, or a later export of the same run, is never overwritten. An earlier export stays complete until a later one replaces it.\n\n" + exitCodes,
		Args: atMost(1),
		RunE: a.interruptible(func(ctx context.Context, args []string) error {
			return a.archive(ctx, first(args), to, &where)
		}),
	}
	where.bindResults(cmd)
	cmd.ValidArgsFunction = completeRuns(&where)
	cmd.Flags().StringVar(&to, "to", "", "`place`: a folder, or s3://bucket/prefix")
	return cmd
}

func (a *App) archive(ctx context.Context, name, to string, where *place) error {
	if to == "" {
		return misused("no place given: use --to with a folder or s3://bucket/prefix (make archive TO=...)")
	}
	at, err := openDepot(to)
	if err != nil {
		return err
	}
	location, err := archive.Locate(name, where.results)
	if err != nil {
		return &exitError{exitBadInput, err}
	}
	if info, err := os.Stat(location); err != nil || !info.IsDir() {
		return fail(exitBadInput, "%s is not a run's folder: copy a bundle as it is, it is one file", location)
	}
	folder := archive.Folder{Path: location}
	if lacks := folder.Lacks(); lacks != "" {
		return fail(exitBadInput, "%s is not archived: %s; ringside export completes it while the run is in the cluster", location, lacks)
	}
	receipt, err := a.put(ctx, at, folder)
	if begun := (*depot.PartialError)(nil); errors.As(err, &begun) {
		return fmt.Errorf("%w: repeat the command to resume", err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(a.Out, receipt.Address)
	return nil
}

// openDepot opens a place. A name that is no place is bad input.
func openDepot(name string) (*depot.Depot, error) {
	at, err := depot.Open(name)
	if err != nil && !problem.IsUnavailable(err) {
		return nil, &exitError{exitBadInput, err}
	}
	return at, err
}

// put archives a run's folder and reports the outcome.
func (a *App) put(ctx context.Context, at *depot.Depot, folder archive.Folder) (depot.Receipt, error) {
	count := newCount(a, "archiving in "+at.String())
	receipt, err := at.Put(ctx, folder, count.show)
	count.screen.clear()
	unfit, broken := (*depot.UnfitError)(nil), (*archive.BrokenError)(nil)
	switch {
	case errors.As(err, &broken):
		return receipt, fail(exitBadInput, "%w: ringside export writes it again while the run is in the cluster", err)
	case errors.As(err, &unfit) && errors.Is(err, os.ErrNotExist):
		return receipt, fail(exitBadInput, "%s is an incomplete export (%w): ringside export completes it", folder.Path, err)
	case errors.As(err, &unfit):
		return receipt, &exitError{exitBadInput, err}
	case err != nil:
		return receipt, err
	case receipt.Sent == 0:
		a.printf("already archived in %s: all %d files are there", receipt.Address, receipt.Files)
	default:
		a.printf("archived in %s: %d files, %d of them sent now", receipt.Address, receipt.Files, receipt.Sent)
	}
	return receipt, nil
}

// keeper returns the function that archives a finished run, or nil without --archive.
func (a *App) keeper(where *place) (func(ctx context.Context, folder archive.Folder) error, error) {
	if where.archive == "" {
		return nil, nil
	}
	at, err := openDepot(where.archive)
	return func(ctx context.Context, folder archive.Folder) error {
		_, err := a.put(ctx, at, folder)
		return err
	}, err
}

// reach checks that the archive answers, before a run starts that will be archived there.
func (p *place) reach(ctx context.Context) error {
	if p.archive == "" {
		return nil
	}
	at, err := openDepot(p.archive)
	if err != nil {
		return err
	}
	return at.Reach(ctx)
}
