package depot

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync"
)

// Depot is a place that keeps archives of runs.
type Depot struct {
	place string
	shelf shelf
}

// Open opens a place: an existing folder, or s3://bucket/prefix in the storage that AWS's variables and files select.
// It sends no request to a bucket.
func Open(place string) (*Depot, error) {
	switch {
	case place == "":
		return nil, fmt.Errorf("no place given: use a folder, or s3://bucket/prefix")
	case InBucket(place):
		name, prefix, err := splitBucket(place)
		if err != nil {
			return nil, err
		}
		storage, err := storageFromEnvironment()
		if err != nil {
			return nil, err
		}
		bucket, err := storage.open(name, prefix)
		return &Depot{strings.TrimSuffix(place, "/"), bucket}, err
	case strings.Contains(place, "://"):
		return nil, fmt.Errorf("%s is not a supported place: use a folder, or s3://bucket/prefix", place)
	}
	volume, err := openVolume(place)
	return &Depot{path.Clean(place), volume}, err
}

// String returns the place as the user named it.
func (d *Depot) String() string { return d.place }

// Address returns the address of a run or a file at the place.
func (d *Depot) Address(name string) string { return d.place + "/" + name }

// Reach reports whether the place answers, before work whose result goes there.
func (d *Depot) Reach(ctx context.Context) error {
	_, err := d.shelf.folders(ctx, "")
	return err
}

// Progress receives how many files are done, and of how many. Calls are serialised.
type Progress func(done, of int)

// counter counts the files that are done.
type counter struct {
	mutex    sync.Mutex
	done, of int
	tell     Progress
}

func (c *counter) one() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.done++
	c.tell(c.done, c.of)
}
