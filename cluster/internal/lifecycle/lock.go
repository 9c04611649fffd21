package lifecycle

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// lock keeps two programs from changing the cluster at once. The lock ends with the process at the latest.
func (c Cluster) lock() (unlock func(), err error) {
	if err := os.MkdirAll(c.Layout.Run(), 0o755); err != nil {
		return nil, fmt.Errorf("make run directory: %w", err)
	}
	f, err := os.OpenFile(c.Layout.Run()+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock cluster: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, errors.New("another 'ringside-cluster' is changing this cluster right now: wait for it to end")
		}
		return nil, fmt.Errorf("lock cluster: %w", err)
	}
	return func() { _ = f.Close() }, nil
}

func (c Cluster) ownerFile() string { return filepath.Join(c.Layout.Run(), "owner") }

// Owner returns the state directory of the cluster that was last started on this host under the same instance name.
func (c Cluster) Owner() string {
	content, err := os.ReadFile(c.ownerFile())
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}

func (c Cluster) own() error {
	if err := os.WriteFile(c.ownerFile(), []byte(c.Layout.State+"\n"), 0o644); err != nil {
		return fmt.Errorf("record owner: %w", err)
	}
	return nil
}
