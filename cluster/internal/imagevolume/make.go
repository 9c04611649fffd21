// Package imagevolume makes volumes that are file systems of their own: images of the size that was claimed, which the kubelet mounts as a volume of a
// driver that is its own program (FlexVolume). What is mounted is so in its node's machine alone, by a loop device that the kernel detaches with the last
// mount: a pod's end ends it, and so does the end of the machine.
package imagevolume

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// file that is the image, in the directory of its volume.
const file = "image"

// Make an image of so many bytes with an empty file system, in a volume's directory. It takes room as it is written to.
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
	// As a kubelet makes them: nothing is kept for root.
	return run(ctx, "mkfs.ext4", "-q", "-F", "-m", "0", path)
}

func run(ctx context.Context, name string, args ...string) error {
	if said, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(string(said)))
	}
	return nil
}
