package inflict

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

const (
	// writers is the number of concurrent writers, each of which writes blocks of blockSize to its own part of the file in a loop: enough
	// to keep a disk busy at all times.
	writers, partSize, blockSize = 4, 16 << 20, 1 << 20
	// leastFree is the least free space, in multiples of the file's size, because Busy must not fill the disk.
	leastFree = 4
)

// Busy writes to the disk of a folder as fast as the disk allows, until the context ends. It calls begun when each writer's first block is
// on the disk. The file has no name, so the kernel frees it when this process ends in any way.
//
// It needs permission to write to the folder, and a file system with unnamed files (O_TMPFILE) and direct I/O.
func Busy(ctx context.Context, folder string, begun func()) error {
	file, err := unnamed(folder, unix.O_DIRECT|unix.O_DSYNC)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // no data to keep
	if err := roomFor(file, leastFree*writers*partSize); err != nil {
		return err
	}
	block, err := unix.Mmap(-1, 0, blockSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE) // direct I/O needs whole pages
	if err != nil {
		return fmt.Errorf("make a block to write: %w", err)
	}
	writing, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var all, first sync.WaitGroup
	for part := range writers {
		first.Add(1)
		started := sync.OnceFunc(first.Done)
		all.Go(func() {
			defer started()
			if err := goRound(writing, file, block, int64(part)*partSize, started); err != nil {
				fail(err)
			}
		})
	}
	first.Wait()
	if writing.Err() == nil {
		begun()
	}
	all.Wait()
	if err := context.Cause(writing); !errors.Is(err, context.Cause(ctx)) {
		return fmt.Errorf("keep the store's disk busy: %w", err)
	}
	return nil
}

// goRound writes to a part of a file in a loop, block by block, until the context ends.
func goRound(ctx context.Context, file *os.File, block []byte, from int64, written func()) error {
	for at := int64(0); ctx.Err() == nil; at = (at + blockSize) % partSize {
		if _, err := file.WriteAt(block, from+at); err != nil {
			return err
		}
		written()
	}
	return nil
}

// unnamed creates a file without a name on a folder's file system. Closing it frees its space.
func unnamed(folder string, flags int) (*os.File, error) {
	fd, err := unix.Open(folder, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC|flags, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make a file without a name on the store's volume: %w (it takes CAP_DAC_OVERRIDE and a file system with O_TMPFILE, and to keep it busy direct I/O)", err)
	}
	return os.NewFile(uintptr(fd), folder), nil
}

// roomFor returns an error if a file's file system has less free space.
func roomFor(file *os.File, bytes uint64) error {
	free, _, err := room(file)
	if err != nil {
		return err
	}
	if free < bytes {
		return fmt.Errorf("only %d MiB are free on the store's volume, and %d must be", free>>20, bytes>>20)
	}
	return nil
}

// room returns the free space on a file's file system, in bytes without the part reserved for root, and its block size.
func room(file *os.File) (free, block uint64, err error) {
	var system unix.Statfs_t
	if err := unix.Fstatfs(int(file.Fd()), &system); err != nil {
		return 0, 0, fmt.Errorf("look how much is free on the store's volume: %w", err)
	}
	return system.Bavail * uint64(system.Bsize), uint64(system.Bsize), nil
}
