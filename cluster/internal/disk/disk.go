// Package disk determines whether a directory is on a solid-state or a spinning disk.
package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
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

// device holds the kernel's data on a block device.
type device struct {
	name       string
	rotational bool
	// virtual devices repeat the setting of their hypervisor: virtio reports "rotational" by default.
	virtual bool
}

// Inspect determines the kind of the disk of a directory. It measures if the kernel's flag is not reliable.
func Inspect(dir string) (Verdict, error) {
	d, err := deviceOf(dir)
	if err != nil {
		d = device{name: "no block device of its own", rotational: true, virtual: true}
	}
	if !needsMeasuring(d) {
		return fromFlag(d), nil
	}
	median, err := medianRead(dir)
	if errors.Is(err, errNoDirectReads) {
		return withoutMeasurement(d), nil
	}
	if err != nil {
		return Verdict{}, fmt.Errorf("measure disk under %s: %w", dir, err)
	}
	return fromMeasurement(d, median), nil
}

func needsMeasuring(d device) bool { return d.rotational && d.virtual }

func fromFlag(d device) Verdict {
	kind := SSD
	if d.rotational {
		kind = HDD
	}
	return Verdict{Kind: kind, Evidence: fmt.Sprintf("%s says rotational=%d", d.name, flag(d.rotational))}
}

func fromMeasurement(d device, median time.Duration) Verdict {
	kind := SSD
	if median > slowestSSD {
		kind = HDD
	}
	return Verdict{Kind: kind, Evidence: fmt.Sprintf(
		"%s is virtual and says rotational=%d, which is no evidence; random 4 KiB direct reads took %v (median)",
		d.name, flag(d.rotational), median.Round(time.Microsecond))}
}

// withoutMeasurement classifies a disk as HDD because there is no evidence that it is an SSD.
func withoutMeasurement(d device) Verdict {
	return Verdict{Kind: HDD, Evidence: fmt.Sprintf(
		"%s says rotational=%d, which is no evidence, and its file system offers no direct reads by which to tell; choose another --state", d.name, flag(d.rotational))}
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func deviceOf(dir string) (device, error) {
	var stat unix.Stat_t
	if err := unix.Stat(dir, &stat); err != nil {
		return device{}, fmt.Errorf("find disk of %s: %w", dir, err)
	}
	link := fmt.Sprintf("/sys/dev/block/%d:%d", unix.Major(stat.Dev), unix.Minor(stat.Dev))
	path, err := filepath.EvalSymlinks(link)
	if err != nil {
		return device{}, fmt.Errorf("find disk of %s: %w", dir, err)
	}
	return describe(path)
}

// describe reads a device's directory in /sys. The queue of a partition is that of its disk, in the parent directory.
func describe(path string) (device, error) {
	disk := path
	if _, err := os.Stat(filepath.Join(disk, "queue")); err != nil {
		disk = filepath.Dir(disk)
	}
	content, err := os.ReadFile(filepath.Join(disk, "queue/rotational"))
	if err != nil {
		return device{}, fmt.Errorf("read rotational flag: %w", err)
	}
	vendor, _ := os.ReadFile(filepath.Join(disk, "device/vendor")) // not every device has a vendor
	model, _ := os.ReadFile(filepath.Join(disk, "device/model"))
	name := filepath.Base(disk)
	return device{
		name:       name,
		rotational: strings.TrimSpace(string(content)) == "1",
		virtual:    isVirtual(name, string(vendor)+" "+string(model)) || liesOnVirtual(disk),
	}, nil
}

// liesOnVirtual checks the disks below a logical volume, an encrypted disk or an array.
func liesOnVirtual(disk string) bool {
	below, err := os.ReadDir(filepath.Join(disk, "slaves"))
	if err != nil {
		return false // it is a physical disk
	}
	for _, entry := range below {
		path, err := filepath.EvalSymlinks(filepath.Join(disk, "slaves", entry.Name()))
		if err != nil {
			continue
		}
		if d, err := describe(path); err == nil && d.virtual {
			return true
		}
	}
	return false
}

func isVirtual(name, maker string) bool {
	for _, prefix := range []string{"vd", "xvd", "loop", "nbd", "rbd", "zd"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	maker = strings.ToLower(maker)
	for _, hypervisor := range []string{"qemu", "vmware", "vbox", "virtual", "google", "xen", "msft", "amazon"} {
		if strings.Contains(maker, hypervisor) {
			return true
		}
	}
	return false
}
