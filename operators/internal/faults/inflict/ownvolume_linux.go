package inflict

import (
	"fmt"
	"os"

	"github.com/moby/sys/mountinfo"
)

// isOwnVolume returns an error unless the mount at a folder is a file system that its volume does not share.
func isOwnVolume(folder string) error {
	table, err := os.Open("/proc/thread-self/mountinfo")
	if err != nil {
		return fmt.Errorf("look what is mounted at %s: %w", folder, err)
	}
	defer table.Close() //nolint:errcheck // only read
	mounts, err := mountinfo.GetMountsFromReader(table, nil)
	if err != nil {
		return fmt.Errorf("look what is mounted at %s: %w", folder, err)
	}
	return sharedBy(mounts, folder)
}

// sharedBy returns an error if the file system at a folder may be shared; else nil. Filling a folder of the node's disk would fill the
// node, which then evicts all its pods. A file system without a block device, such as a network one, may also be shared. The node's own
// file systems are known from the files that the kubelet and the container runtime mount into every pod.
func sharedBy(mounts []*mountinfo.Info, folder string) error {
	const fix = "let the store's storage class make a file system for each volume, or choose another fault"
	var volume *mountinfo.Info
	for _, mount := range mounts {
		if mount.Mountpoint == folder {
			volume = mount // the last mount hides earlier ones
		}
	}
	switch {
	case volume == nil:
		return fmt.Errorf("no volume of the store is mounted at %s: let it keep its data on one", folder)
	case volume.Root != "/":
		return fmt.Errorf("the store's volume is a folder of a file system that it shares (%s), which to fill would hit others: %s", volume.Root, fix)
	case volume.Major == 0:
		return fmt.Errorf("the store's volume is on no block device of its own (%s), and others may share it: %s", volume.FSType, fix)
	}
	for _, mount := range mounts {
		if mount.Mountpoint != folder && mount.Major == volume.Major && mount.Minor == volume.Minor {
			return fmt.Errorf("the store's volume is on a file system of the node, that %s is on as well: %s", mount.Mountpoint, fix)
		}
	}
	return nil
}
