package inflict

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Fill leaves so many bytes free on the file system of a folder from now on, until the context ends. Begun is called once that is so. What the store
// frees meanwhile is the store's: a neighbour that has taken all room waits for no more. The file has no name: with this process, however it ends, the
// kernel frees it.
//
// What it takes is the right to write to the folder, a file system with files that have no name (O_TMPFILE) and with fallocate, and that this file
// system is nobody else's.
func Fill(ctx context.Context, folder string, leave uint64, begun func()) error {
	if err := isOwnVolume(folder); err != nil {
		return err
	}
	file, err := unnamed(folder, 0)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // nothing of it is kept
	free, block, err := room(file)
	if err != nil {
		return err
	}
	if free < leave+block {
		return fmt.Errorf("only %s are free on the store's volume, and %s are to be left: there is nothing to fill", inMiB(free), inMiB(leave))
	}
	if err := allocateBut(ctx, file, leave); err != nil {
		return fmt.Errorf("fill the store's volume: %w", err)
	}
	if ctx.Err() == nil {
		begun()
	}
	<-ctx.Done()
	return nil
}

// allocateBut so many bytes, of what is there for everybody. What a file system needs to know of the blocks of a file takes room as well, so that
// less than was free may fit: what does not is tried by halves.
func allocateBut(ctx context.Context, file *os.File, leave uint64) error {
	most := ^uint64(0)
	for at := uint64(0); ctx.Err() == nil; {
		free, block, err := room(file)
		if err != nil || free <= leave {
			return err
		}
		take := min(free-leave, most) / block * block
		if take == 0 {
			return nil
		}
		switch err := unix.Fallocate(int(file.Fd()), 0, int64(at), int64(take)); {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ENOSPC):
			most = take / 2
		case err != nil:
			return err
		}
		at += take
	}
	return nil
}

func inMiB(bytes uint64) string { return fmt.Sprintf("%d MiB", bytes>>20) }
