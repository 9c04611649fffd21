package depot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"ringside.dev/ringside/operators/internal/archive"
)

// Fetch copies a run, <experiment>/<run>, from the place into a folder. Afterwards the folder has exactly the archived
// files: files with the same content are kept, and other files are deleted. Every file is compared with its digest
// before it is written.
func (d *Depot) Fetch(ctx context.Context, run string, into archive.Folder, progress Progress) error {
	digests, text, err := d.digests(ctx, run)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return d.noRun(ctx, run)
	case errors.Is(err, errDamaged):
		return fmt.Errorf("%s: %w", d.Address(run), err)
	case err != nil:
		return err
	}
	if err := tidy(into, digests); err != nil {
		return err
	}
	fetching := &fetching{depot: d, run: run, into: into, digests: digests, counter: counter{of: len(digests), tell: progress}}
	group, fetchContext := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, name := range digests.Names() {
		group.Go(func() error { return fetching.fetch(fetchContext, name) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return into.Write(archive.DigestsFile, text)
}

// noRun describes what the place has instead of the run.
func (d *Depot) noRun(ctx context.Context, run string) error {
	sums, err := d.shelf.sums(ctx, run)
	switch {
	case err != nil:
		return err
	case len(sums) > 0:
		return fmt.Errorf("%s is an incomplete archive: ringside archive, where the run was exported, completes it", d.Address(run))
	}
	return fmt.Errorf("%w as %s: ringside list --from %s lists the runs there", archive.ErrNoRun, d.Address(run), d)
}

// tidy creates the folder and removes files that do not belong to the run.
func tidy(into archive.Folder, digests archive.Digests) error {
	if err := os.MkdirAll(into.Path, 0o755); err != nil {
		return fmt.Errorf("creating the folder of the fetched run: %w", err)
	}
	err := fs.WalkDir(os.DirFS(into.Path), ".", func(name string, entry fs.DirEntry, err error) error {
		if _, known := digests[name]; err != nil || known || entry.IsDir() {
			return err
		}
		return os.Remove(filepath.Join(into.Path, filepath.FromSlash(name)))
	})
	if err != nil {
		return fmt.Errorf("clearing the folder of the fetched run: %w", err)
	}
	return nil
}

// fetching is the state of one Fetch.
type fetching struct {
	depot   *Depot
	run     string
	into    archive.Folder
	digests archive.Digests
	size    atomic.Int64
	counter counter
}

func (f *fetching) fetch(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer f.counter.one()
	file, want := filepath.FromSlash(name), f.digests[name]
	if text, err := os.ReadFile(filepath.Join(f.into.Path, file)); err == nil && archive.Sum(text) == want {
		return nil
	}
	address := f.depot.Address(path.Join(f.run, name))
	text, err := f.depot.shelf.get(ctx, path.Join(f.run, name), maxFile)
	if errors.Is(err, fs.ErrNotExist) || err == nil && archive.Sum(text) != want { // an interrupted archiving left the file staged
		if kept, keptErr := f.depot.shelf.get(ctx, path.Join(f.run, staged(want)), maxFile); keptErr == nil {
			text, err = kept, nil
		} else if !errors.Is(keptErr, fs.ErrNotExist) {
			err = keptErr
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is missing, but %s lists it: ringside archive, where the run was exported, uploads it", address, archive.DigestsFile)
	case errors.Is(err, errTooLarge) || f.size.Add(int64(len(text))) > archive.MaxSize:
		return fmt.Errorf("%s: the run is %w", address, errTooLarge)
	case err != nil:
		return fmt.Errorf("fetching %s: %w", address, err)
	case archive.Sum(text) != want:
		return fmt.Errorf("%s is damaged: it does not match its line in %s: remove it there, then ringside archive, where the run was exported, uploads it again", address, archive.DigestsFile)
	}
	return f.into.Write(file, text)
}
