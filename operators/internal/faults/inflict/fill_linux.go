package inflict

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Fill allocates the file system of a folder except for a number of free bytes, until the context ends. It calls begun when that is done.
// It does not allocate what the store frees later. The file has no name, so the kernel frees it when this process ends in any way.
//
// It needs permission to write to the folder, and a file system with unnamed files (O_TMPFILE) and fallocate that nothing else uses.
func Fill(ctx context.Context, folder string, leave uint64, begun func()) error {
	if err := isOwnVolume(folder); err != nil {
		return err
	}
	file, err := unnamed(folder, 0)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // no data to keep
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

// allocateBut allocates all free space except for a number of bytes. The metadata of a file's blocks also takes space, so that less than
// the free space may fit. If an allocation fails, it tries half.
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
