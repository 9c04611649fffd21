package depot

import (
	"context"
	"errors"

	"ringside.dev/ringside/operators/internal/problem"
)

// shelf stores files. Names have slashes and are relative to the place.
type shelf interface {
	// put stores a file completely or not at all. sum is its SHA-256.
	put(ctx context.Context, name string, text []byte, sum string) error
	// move replaces a file by another one atomically.
	move(ctx context.Context, from, to string) error
	// get reads a file of at most the given size in bytes. It returns fs.ErrNotExist if there is none, and errTooLarge
	// if it is larger.
	get(ctx context.Context, name string, most int64) ([]byte, error)
	// has reports whether a file exists.
	has(ctx context.Context, name string) (bool, error)
	// sums returns the SHA-256 of each file below a folder by its name relative to the folder; empty if the place does
	// not know it.
	sums(ctx context.Context, folder string) (map[string]string, error)
	// folders returns the names of the direct subfolders of a folder.
	folders(ctx context.Context, folder string) ([]string, error)
}

var errTooLarge = errors.New("larger than the maximum size of a file of a run")

// atOnce is the number of parallel transfers. Each takes a round trip, and holds its file in memory.
const atOnce = 8

// unavailable returns the problem of a place that does not answer or rejects a request.
func unavailable(what, fix string) error {
	return problem.Problem{Reason: problem.ArchiveUnavailable, What: what, Fix: fix}
}
