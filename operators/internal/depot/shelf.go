package depot

import (
	"context"
	"errors"
)

// shelf is how a place keeps files. Names have slashes and are relative to the place.
type shelf interface {
	// put keeps a file as a whole or not at all; sum is its SHA-256.
	put(ctx context.Context, name string, text []byte, sum string) error
	// move puts a file in the place of another, which is there as a whole before and after.
	move(ctx context.Context, from, to string) error
	// get reads a file of at most so many bytes; fs.ErrNotExist where there is none, errTooLarge where it is larger.
	get(ctx context.Context, name string, most int64) ([]byte, error)
	// has reports whether a file is there.
	has(ctx context.Context, name string) (bool, error)
	// sums are the SHA-256 of the files below a folder, by their names in it; empty where the place does not know one.
	sums(ctx context.Context, folder string) (map[string]string, error)
	// folders returns the names of the folders that are directly in one.
	folders(ctx context.Context, folder string) ([]string, error)
}

var errTooLarge = errors.New("larger than the maximum size of a file of a run")

// atOnce is how many files are on their way at once: each costs a round trip and is held in memory.
const atOnce = 8

// Unavailable reports that a place does not answer, or refuses, and what mends it.
type Unavailable struct{ What, Mend string }

func (u *Unavailable) Error() string { return u.What + ": " + u.Mend }
