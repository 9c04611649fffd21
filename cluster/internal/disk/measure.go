package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

const (
	probeBytes = 64 << 20
	chunkBytes = 1 << 20
	blockBytes = 4096
	probeReads = 200
	// probeTime bounds the measurement of a very slow disk.
	probeTime = 5 * time.Second
)

var errNoDirectReads = errors.New("its file system offers no direct reads")

// medianRead returns the median time of random 4 KiB reads that bypass the page cache, from a temporary file in dir.
func medianRead(dir string) (time.Duration, error) {
	path := filepath.Join(dir, "disk-probe")
	defer os.Remove(path)
	if err := writeProbe(path); err != nil {
		return 0, err
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECT|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.EINVAL) {
		return 0, errNoDirectReads
	}
	if err != nil {
		return 0, fmt.Errorf("open %s: %w", path, err)
	}
	defer unix.Close(fd)
	// Direct reads need aligned memory, which a mapping has.
	buffer, err := unix.Mmap(-1, 0, blockBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return 0, fmt.Errorf("map memory: %w", err)
	}
	defer func() { _ = unix.Munmap(buffer) }()
	var times []time.Duration
	for begin := time.Now(); len(times) < probeReads && time.Since(begin) < probeTime; {
		offset := rand.Int64N(probeBytes/blockBytes) * blockBytes
		started := time.Now()
		if _, err := unix.Pread(fd, buffer, offset); err != nil {
			return 0, fmt.Errorf("read %s: %w", path, err)
		}
		times = append(times, time.Since(started))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func writeProbe(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("make probe file: %w", err)
	}
	defer f.Close()
	chunk := make([]byte, chunkBytes)
	for range probeBytes / chunkBytes {
		for i := 0; i < len(chunk); i += 8 { // data that cannot be compressed or deduplicated
			binary.NativeEndian.PutUint64(chunk[i:], rand.Uint64())
		}
		if _, err := f.Write(chunk); err != nil {
			return fmt.Errorf("write probe file: %w", err)
		}
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("write probe file: %w", err)
	}
	return nil
}
