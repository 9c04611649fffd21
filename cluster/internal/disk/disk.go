// Package disk determines whether a directory is on a solid-state or a spinning disk, by timing it. The kernel's flag is
// no evidence: virtual disks repeat the setting of their hypervisor, and virtio reports "rotational" by default.
package disk

import (
	"errors"
	"fmt"
	"time"
)

// Kinds of disks, as used in node labels.
const (
	SSD = "ssd"
	HDD = "hdd"
)

// slowestSSD is the longest median time of a random 4 KiB read at which a disk counts as solid-state. A spinning disk
// needs half a turn and a seek: 4 ms and more.
const slowestSSD = 2 * time.Millisecond

// Verdict is the kind of a disk and the evidence for it.
type Verdict struct {
	Kind     string `json:"kind"`
	Evidence string `json:"evidence"`
}

// Inspect determines the kind of the disk of a directory.
func Inspect(dir string) (Verdict, error) {
	median, err := medianRead(dir)
	if errors.Is(err, errNoDirectReads) { // nothing shows that it is better
		return Verdict{Kind: HDD, Evidence: errNoDirectReads.Error() + ", so nothing shows that the disk is better; choose another --state"}, nil
	}
	if err != nil {
		return Verdict{}, fmt.Errorf("measure disk under %s: %w", dir, err)
	}
	return judge(median), nil
}

func judge(median time.Duration) Verdict {
	kind := SSD
	if median > slowestSSD {
		kind = HDD
	}
	return Verdict{Kind: kind, Evidence: fmt.Sprintf("random 4 KiB direct reads took %v (median)", median.Round(time.Microsecond))}
}
