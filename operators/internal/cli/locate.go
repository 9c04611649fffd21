package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/archive/depot"
	"ringside.dev/ringside/operators/internal/problem"
)

// cacheDir is the folder, within the results folder, of runs that were fetched from archives.
const cacheDir = ".archive"

// locate finds a run by its name, as archive.Locate does, or fetches it by its address in a bucket. A run outside the
// results folder must match its digests.
func (a *App) locate(ctx context.Context, name, resultsDir string) (string, error) {
	if !depot.InBucket(name) {
		location, err := archive.Locate(name, resultsDir)
		if err != nil {
			return "", &exitError{exitBadInput, err}
		}
		return location, checkForeign(location, resultsDir)
	}
	placeName, run, err := depot.SplitRun(name)
	if err != nil {
		return "", &exitError{exitBadInput, err}
	}
	at, err := openDepot(placeName)
	if err != nil {
		return "", err
	}
	folder := archive.Folder{Path: filepath.Join(resultsDir, cacheDir, filepath.FromSlash(strings.TrimPrefix(at.Address(run), "s3://")))}
	count := newCount(a, "fetching "+name)
	err = at.Fetch(ctx, run, folder, count.show)
	count.screen.clear()
	if err != nil && !problem.IsUnavailable(err) {
		return "", &exitError{exitBadInput, err}
	}
	return folder.Path, err
}

// checkForeign verifies a folder outside the results folder against its digests, if it has any.
func checkForeign(location, resultsDir string) error {
	if info, err := os.Stat(location); err != nil || !info.IsDir() || within(location, resultsDir) {
		return nil // archive.Read reports what is missing; a bundle has its own checksum
	}
	if _, err := (archive.Folder{Path: location}).Verify(); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fail(exitBadInput, "%w: archive or copy it again from where it was exported", err)
	}
	return nil
}

func within(location, folder string) bool {
	resolved := make([]string, 0, 2)
	for _, path := range []string{folder, location} {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		resolved = append(resolved, path)
	}
	relative, err := filepath.Rel(resolved[0], resolved[1])
	return err == nil && filepath.IsLocal(relative)
}
