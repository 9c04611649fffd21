package depot

import (
	"cmp"
	"context"
	"path"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"ringside.dev/ringside/operators/internal/archive"
)

// Found is a run that List found at a place.
type Found struct {
	Experiment, Run string
	// Whole reports whether the run was archived completely.
	Whole   bool
	Address string
}

// List returns the runs at the place, oldest first, as archive.List does.
func (d *Depot) List(ctx context.Context) ([]Found, error) {
	experiments, err := d.shelf.folders(ctx, "")
	if err != nil {
		return nil, err
	}
	var found []Found
	var mutex sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, experiment := range experiments {
		group.Go(func() error {
			runs, err := d.shelf.folders(ctx, experiment)
			if err != nil {
				return err
			}
			for _, run := range runs {
				one, err := d.find(ctx, experiment, run)
				if err != nil {
					return err
				}
				if one != nil {
					mutex.Lock()
					found = append(found, *one)
					mutex.Unlock()
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Experiment, b.Experiment))
	})
	return found, nil
}

// find returns the run in a folder; nil if the folder has no file of a run.
func (d *Depot) find(ctx context.Context, experiment, run string) (*Found, error) {
	folder := path.Join(experiment, run)
	found := &Found{Experiment: experiment, Run: run, Address: d.Address(folder)}
	for _, file := range []string{archive.DigestsFile, archive.ExperimentFile} {
		there, err := d.shelf.has(ctx, path.Join(folder, file))
		if err != nil {
			return nil, err
		}
		if there {
			found.Whole = file == archive.DigestsFile
			return found, nil
		}
	}
	return nil, nil
}
