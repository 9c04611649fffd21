package depot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"ringside.dev/ringside/operators/internal/archive"
)

// maxFile bounds the size of a file that is read from a place, because it is held in memory. Files of runs are much
// smaller.
const maxFile = 1 << 30

// Receipt is the result of archiving a run.
type Receipt struct {
	// Address is that of the run at the place.
	Address string
	// Files is the number of files of the run, Sent the number of those that were transferred.
	Files, Sent int
}

// UnfitError reports why a run may not be archived at a place. Nothing was transferred.
type UnfitError struct{ Err error }

func (u *UnfitError) Error() string { return u.Err.Error() }

// Unwrap returns the reason.
func (u *UnfitError) Unwrap() error { return u.Err }

// PartialError reports that a run was archived only in part. The next Put resumes after the files that are done.
type PartialError struct {
	Done, Of int
	Err      error
}

func (b *PartialError) Error() string {
	return fmt.Sprintf("archiving was interrupted after %d of %d files: %v", b.Done, b.Of, b.Err)
}

// Unwrap returns the reason.
func (b *PartialError) Unwrap() error { return b.Err }

// Put archives the run of a folder that matches its digests. It resumes an interrupted transfer: existing files are
// kept. A later export of the same run replaces its earlier archive atomically: one of the two is complete at every
// moment.
func (d *Depot) Put(ctx context.Context, folder archive.Folder, progress Progress) (Receipt, error) {
	digests, err := folder.Verify()
	if err != nil {
		return Receipt{}, &UnfitError{err}
	}
	run, err := folder.Identity()
	if err != nil {
		return Receipt{}, &UnfitError{err}
	}
	receipt := Receipt{Address: d.Address(run.Folder()), Files: len(digests) + 1}
	there, err := d.present(ctx, run.Folder())
	if err != nil {
		return receipt, err
	}
	todo, err := missing(run, digests, there)
	if err != nil {
		return receipt, &UnfitError{fmt.Errorf("%s: %w", receipt.Address, err)}
	}
	sums, err := os.ReadFile(filepath.Join(folder.Path, archive.DigestsFile))
	if err != nil {
		return receipt, &UnfitError{fmt.Errorf("reading the digests: %w", err)}
	}
	listed := bytes.Equal(there.listed, sums)
	if len(todo.direct)+len(todo.aside)+len(todo.settle) == 0 && listed {
		return receipt, nil
	}
	sending := &sending{depot: d, folder: folder, to: run.Folder(), digests: digests, counter: counter{of: len(todo.direct) + len(todo.aside) + 1, tell: progress}}
	if err := sending.all(ctx, todo); err != nil {
		return receipt, &PartialError{Done: sending.counter.done, Of: sending.counter.of, Err: err}
	}
	// The digests complete the archive. With them, a staged file is found by its digest, even if it is never moved to its
	// name.
	if len(todo.direct)+len(todo.aside) > 0 || !listed {
		digests[archive.DigestsFile] = archive.Sum(sums)
		if err := sending.send(ctx, archive.DigestsFile, archive.DigestsFile); err != nil {
			return receipt, &PartialError{Done: sending.counter.done, Of: sending.counter.of, Err: err}
		}
		receipt.Sent = sending.counter.done
	}
	return receipt, sending.settle(ctx, todo.settle)
}

func (d *Depot) present(ctx context.Context, run string) (present, error) {
	var there present
	var err error
	if there.sums, err = d.shelf.sums(ctx, run); err != nil {
		return there, err
	}
	if _, is := there.sums[archive.DigestsFile]; is {
		if there.digests, there.listed, err = d.digests(ctx, run); err != nil && !errors.Is(err, errDamaged) { // with damaged digests the archive is incomplete, and is completed
			return there, err
		}
	}
	manifest := archive.ExperimentFile
	if sum := there.digests[manifest]; there.sums[manifest] != sum && there.sums[staged(sum)] == sum && sum != "" {
		manifest = staged(sum) // an interrupted archiving left it staged
	}
	if _, is := there.sums[manifest]; is {
		if there.manifest, err = d.shelf.get(ctx, path.Join(run, manifest), maxFile); err != nil {
			return there, fmt.Errorf("reading the archive: %w", err)
		}
	}
	return there, nil
}

var errDamaged = errors.New("unreadable archive")

// digests returns the digests of a run at the place, parsed and as text; fs.ErrNotExist if there are none.
func (d *Depot) digests(ctx context.Context, run string) (archive.Digests, []byte, error) {
	text, err := d.shelf.get(ctx, path.Join(run, archive.DigestsFile), maxFile)
	if err != nil {
		return nil, nil, err
	}
	digests, err := archive.ParseDigests(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return digests, text, nil
}

// sending is the state of one Put.
type sending struct {
	depot   *Depot
	folder  archive.Folder
	to      string
	digests archive.Digests
	counter counter
}

// all transfers the first file alone, and then the others in parallel.
func (s *sending) all(ctx context.Context, todo sendings) error {
	type file struct{ name, as string }
	var files []file
	for _, name := range todo.direct {
		files = append(files, file{name, name})
	}
	for _, name := range todo.aside {
		files = append(files, file{name, staged(s.digests[name])})
	}
	if len(files) == 0 {
		return nil
	}
	if err := s.send(ctx, files[0].name, files[0].as); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, f := range files[1:] {
		group.Go(func() error { return s.send(ctx, f.name, f.as) })
	}
	return group.Wait()
}

// settle moves staged files to their names.
func (s *sending) settle(ctx context.Context, names []string) error {
	group, moving := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, name := range names {
		group.Go(func() error {
			if err := s.depot.shelf.move(moving, path.Join(s.to, staged(s.digests[name])), path.Join(s.to, name)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return &PartialError{Done: s.counter.done, Of: s.counter.of, Err: fmt.Errorf("the run is uploaded, but its files do not have their names yet: %w", err)}
	}
	return nil
}

// send transfers a file of the folder to its name at the place, or to the staging folder.
func (s *sending) send(ctx context.Context, name, as string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(s.folder.Path, filepath.FromSlash(name)))
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	if archive.Sum(text) != s.digests[name] {
		return &archive.BrokenError{Where: s.folder.Path, Files: []string{name + " has just changed"}}
	}
	if err := s.depot.shelf.put(ctx, path.Join(s.to, as), text, s.digests[name]); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.counter.one()
	return nil
}
