package depot

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync"
)

// Depot is a place where archives of runs are kept.
type Depot struct {
	place string
	shelf shelf
}

// Open opens a place: a folder that is there, or s3://bucket/prefix in the storage that AWS's variables and files name. Of a bucket
// nothing is asked yet.
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

// String is what people call the place.
func (d *Depot) String() string { return d.place }

// Address of a run, or of a file, at the place.
func (d *Depot) Address(name string) string { return d.place + "/" + name }

// Reach reports whether the place answers, before much is done that is to go there.
func (d *Depot) Reach(ctx context.Context) error {
	_, err := d.shelf.folders(ctx, "")
	return err
}

// Progress is told how many files of how many are done, by one at a time.
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
