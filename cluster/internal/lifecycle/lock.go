package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// errLocked is the error if another command holds the lock.
var errLocked = errors.New("another 'ringside-cluster' is changing this cluster: wait until it ends")

func (c Cluster) lockFile() string { return c.Layout.Run() + ".lock" }

// lock excludes other commands that change the cluster. The kernel releases the lock with the process.
func (c Cluster) lock(ctx context.Context, wait time.Duration) (unlock func(), err error) {
	f, err := c.tryLock()
	if errors.Is(err, errLocked) && wait > 0 {
		c.Say("waiting for another 'ringside-cluster' to end")
		waiting, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		err = poll(waiting, 100*time.Millisecond, func(context.Context) error {
			var err error
			if f, err = c.tryLock(); err != nil && !errors.Is(err, errLocked) {
				return permanent{err}
			}
			return err
		})
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, errors.New("not root: nodes need namespaces, mounts and control groups; run it as root or with sudo")
	}
	if err != nil {
		return nil, err
	}
	return func() { c.unlock(f) }, nil
}

func (c Cluster) tryLock() (*os.File, error) {
	for {
		if err := os.MkdirAll(c.Layout.Runtime, 0o755); err != nil {
			return nil, fmt.Errorf("make run directory: %w", err)
		}
		f, err := os.OpenFile(c.lockFile(), os.O_CREATE|os.O_RDWR, 0o600)
		if errors.Is(err, fs.ErrNotExist) {
			continue // its directory was removed with the previous lock
		}
		if err != nil {
			return nil, fmt.Errorf("lock cluster: %w", err)
		}
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
			_ = f.Close()
			if errors.Is(err, unix.EWOULDBLOCK) {
				return nil, errLocked
			}
			return nil, fmt.Errorf("lock cluster: %w", err)
		}
		if c.stillTheLock(f) {
			return f, nil
		}
		_ = f.Close() // its previous holder removed the file: a lock on it has no effect
	}
}

func (c Cluster) stillTheLock(f *os.File) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(c.lockFile())
	return err == nil && os.SameFile(mine, there)
}

// unlock removes the lock file if there is no cluster.
func (c Cluster) unlock(f *os.File) {
	if _, err := os.Lstat(c.Layout.Run()); errors.Is(err, fs.ErrNotExist) {
		_ = os.Remove(c.lockFile())
		_ = os.Remove(c.Layout.Runtime) // fails if another cluster uses it
	}
	_ = f.Close()
}
