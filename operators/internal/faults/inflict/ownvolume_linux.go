package inflict

import (
	"fmt"
	"os"

	"github.com/moby/sys/mountinfo"
)

// isOwnVolume says why what is mounted at a folder is not a file system that its volume has for itself.
func isOwnVolume(folder string) error {
	table, err := os.Open("/proc/thread-self/mountinfo")
	if err != nil {
		return fmt.Errorf("look what is mounted at %s: %w", folder, err)
	}
	defer table.Close() //nolint:errcheck // it was only read
	mounts, err := mountinfo.GetMountsFromReader(table, nil)
	if err != nil {
		return fmt.Errorf("look what is mounted at %s: %w", folder, err)
	}
	return sharedBy(mounts, folder)
}

// sharedBy whom the file system at a folder is; nobody where that is nil. Whoever fills a folder of the node's disk fills the node, which then evicts
// all its pods; and what is on no block device, as what comes by a network, may be anybody's. In a pod, the files that its kubelet and its container
// runtime give to each are witnesses of what file systems the node has.
func sharedBy(mounts []*mountinfo.Info, folder string) error {
	const mend = "let the store's storage class make a file system for each volume, or choose another fault"
	var volume *mountinfo.Info
	for _, mount := range mounts {
		if mount.Mountpoint == folder {
			volume = mount // the last one hides those before it
		}
	}
	switch {
	case volume == nil:
		return fmt.Errorf("no volume of the store is mounted at %s: let it keep its data on one", folder)
	case volume.Root != "/":
		return fmt.Errorf("the store's volume is a folder of a file system that it shares (%s), which to fill would hit others: %s", volume.Root, mend)
	case volume.Major == 0:
		return fmt.Errorf("the store's volume is on no block device of its own (%s), and others may share it: %s", volume.FSType, mend)
	}
	for _, mount := range mounts {
		if mount.Mountpoint != folder && mount.Major == volume.Major && mount.Minor == volume.Minor {
			return fmt.Errorf("the store's volume is on a file system of the node, that %s is on as well: %s", mount.Mountpoint, mend)
		}
	}
	return nil
}
