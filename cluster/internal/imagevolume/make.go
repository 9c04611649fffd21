// Package imagevolume creates volumes with their own file system: image files of the claimed size, which the kubelet
// mounts through a FlexVolume driver, which is this program. The mount exists only in the node's machine, through a
// loop device that the kernel detaches with the last mount: the end of the pod or of the machine removes it.
package imagevolume

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// file is the name of the image in the volume's directory.
const file = "image"

// Make creates a sparse image of the given size with an empty file system, in a volume's directory.
func Make(ctx context.Context, dir string, bytes int64) error {
	path := filepath.Join(dir, file)
	image, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("make image: %w", err)
	}
	if err := image.Close(); err != nil {
		return fmt.Errorf("make image: %w", err)
	}
	if err := os.Truncate(path, bytes); err != nil {
		return fmt.Errorf("make image of %d bytes: %w", bytes, err)
	}
	// The same options as a kubelet's: no blocks are reserved for root.
	return run(ctx, "mkfs.ext4", "-q", "-F", "-m", "0", path)
}

func run(ctx context.Context, name string, args ...string) error {
	if said, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(string(said)))
	}
	return nil
}
