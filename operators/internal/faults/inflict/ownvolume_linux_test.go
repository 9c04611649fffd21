package inflict

import (
	"strings"
	"testing"

	"github.com/moby/sys/mountinfo"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/internal/faults/helper"
)

// mounted returns the mounts in a pod, as its kernel lists them, on a node whose own disk is 254:0, with a line for the volume.
func mounted(volume string) string {
	return `591 512 0:81 / / rw,relatime - overlay overlay rw,lowerdir=/l,upperdir=/u,workdir=/w
592 591 0:87 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw
600 591 254:0 /var/lib/kubelet/pods/a1/etc-hosts /etc/hosts rw,relatime - ext4 /dev/vda rw
601 591 254:0 /var/lib/kubelet/pods/a1/containers/fault-1/c2 /dev/termination-log rw,relatime - ext4 /dev/vda rw
602 591 0:85 / /dev/shm rw,nosuid,nodev,noexec,relatime - tmpfs shm rw,size=65536k
` + volume
}

func TestOnlyAFileSystemOfItsOwnIsFilled(t *testing.T) {
	for name, test := range map[string]struct{ volume, says string }{
		"a disk of its own":                   {"610 591 8:16 / /volume rw,relatime - ext4 /dev/sdb rw", ""},
		"an image of its own":                 {"610 591 7:3 / /volume rw,relatime - xfs /dev/loop3 rw", ""},
		"a folder of the node's disk":         {"610 591 254:0 /volumes/pvc-1 /volume rw,relatime - ext4 /dev/vda rw", "is a folder of a file system that it shares (/volumes/pvc-1), which to fill would hit others"},
		"a folder of another disk":            {"610 591 8:16 /pvc-1 /volume rw,relatime - ext4 /dev/sdb rw", "is a folder of a file system that it shares (/pvc-1), which to fill would hit others"},
		"the node's disk":                     {"610 591 254:0 / /volume rw,relatime - ext4 /dev/vda rw", "is on a file system of the node, that /etc/hosts is on as well"},
		"somebody's over the network":         {"610 591 0:99 / /volume rw,relatime - nfs4 files:/ rw", "is on no block device of its own (nfs4), and others may share it"},
		"memory":                              {"610 591 0:99 / /volume rw,relatime - tmpfs tmpfs rw", "is on no block device of its own (tmpfs), and others may share it"},
		"the node's disk over one of its own": {"610 591 8:16 / /volume rw - ext4 /dev/sdb rw\n611 610 254:0 / /volume rw - ext4 /dev/vda rw", "is on a file system of the node"},
		"none":                                {"", "no volume of the store is mounted at /volume: let it keep its data on one"},
	} {
		t.Run(name, func(t *testing.T) {
			mounts, err := mountinfo.GetMountsFromReader(strings.NewReader(mounted(test.volume)), nil)
			require.NoError(t, err)
			err = sharedBy(mounts, helper.Volume)
			if test.says == "" {
				require.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, test.says)
			}
		})
	}
}
