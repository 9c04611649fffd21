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

// maxFile bounds what is read of a file at a place: it is held in memory, and no file of a run is near it.
const maxFile = 1 << 30

// Receipt is what came of archiving a run.
type Receipt struct {
	// Address of the run at the place.
	Address string
	// Files of the run, and how many of them were not there before.
	Files, Sent int
}

// Unfit says why a run may not be archived at a place: nothing was begun.
type Unfit struct{ Err error }

func (u *Unfit) Error() string { return u.Err.Error() }

// Unwrap gives the reason.
func (u *Unfit) Unwrap() error { return u.Err }

// BrokenOff says that not all of a run was archived. What was is left alone when it is archived again.
type BrokenOff struct {
	Done, Of int
	Err      error
}

func (b *BrokenOff) Error() string {
	return fmt.Sprintf("archiving broke off after %d of %d files: %v", b.Done, b.Of, b.Err)
}

// Unwrap gives the reason.
func (b *BrokenOff) Unwrap() error { return b.Err }

// Put archives the run of a folder that fits its digests. What broke off is gone on with: files that are there are left alone. The same run,
// exported anew, takes the place of what was archived of it before.
func (d *Depot) Put(ctx context.Context, folder archive.Folder, progress Progress) (Receipt, error) {
	digests, err := folder.Verify()
	if err != nil {
		return Receipt{}, &Unfit{err}
	}
	run, err := folder.Identity()
	if err != nil {
		return Receipt{}, &Unfit{err}
	}
	receipt := Receipt{Address: d.Address(run.Folder()), Files: len(digests) + 1}
	there, err := d.present(ctx, run.Folder())
	if err != nil {
		return receipt, err
	}
	names, err := missing(run, digests, there)
	if err != nil {
		return receipt, &Unfit{fmt.Errorf("%s: %w", receipt.Address, err)}
	}
	sums, err := os.ReadFile(filepath.Join(folder.Path, archive.DigestsFile))
	if err != nil {
		return receipt, &Unfit{fmt.Errorf("reading the digests: %w", err)}
	}
	if len(names) == 0 && bytes.Equal(there.listed, sums) {
		return receipt, nil
	}
	sending := &sending{depot: d, folder: folder, to: run.Folder(), digests: digests, counter: counter{of: len(names) + 1, tell: progress}}
	if err := sending.all(ctx, names); err != nil {
		return receipt, &BrokenOff{Done: sending.counter.done, Of: sending.counter.of, Err: err}
	}
	digests[archive.DigestsFile] = archive.Sum(sums)
	if err := sending.send(ctx, archive.DigestsFile); err != nil { // last: with it, it is a run
		return receipt, &BrokenOff{Done: sending.counter.done, Of: sending.counter.of, Err: err}
	}
	receipt.Sent = sending.counter.of
	return receipt, nil
}

func (d *Depot) present(ctx context.Context, run string) (present, error) {
	var there present
	var err error
	if there.sums, err = d.shelf.sums(ctx, run); err != nil {
		return there, err
	}
	if _, is := there.sums[archive.ExperimentFile]; is {
		if there.manifest, err = d.shelf.get(ctx, path.Join(run, archive.ExperimentFile), maxFile); err != nil {
			return there, fmt.Errorf("reading what is there: %w", err)
		}
	}
	if _, is := there.sums[archive.DigestsFile]; is {
		if there.digests, there.listed, err = d.digests(ctx, run); errors.Is(err, errDamaged) {
			err = nil // it is no run then, and is made one
		}
	}
	return there, err
}

var errDamaged = errors.New("no archive that can be read")

// digests of a run at the place, and as they stand there; fs.ErrNotExist where there are none.
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

// sending is one archiving of a run.
type sending struct {
	depot   *Depot
	folder  archive.Folder
	to      string
	digests archive.Digests
	counter counter
}

// all sends the first file alone and the others several at once.
func (s *sending) all(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	if err := s.send(ctx, names[0]); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, name := range names[1:] {
		group.Go(func() error { return s.send(ctx, name) })
	}
	return group.Wait()
}

func (s *sending) send(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(s.folder.Path, filepath.FromSlash(name)))
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	if archive.Sum(text) != s.digests[name] {
		return &archive.Broken{Where: s.folder.Path, Files: []string{name + " was changed just now"}}
	}
	if err := s.depot.shelf.put(ctx, path.Join(s.to, name), text, s.digests[name]); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.counter.one()
	return nil
}
