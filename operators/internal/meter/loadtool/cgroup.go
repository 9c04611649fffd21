package loadtool

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// CPUReading is the CPU use of a container's cgroup at a time.
type CPUReading struct {
	At        time.Time
	Used      time.Duration
	Throttled time.Duration
}

// CPU reads the CPU time of this container's cgroup, version 1 or 2.
type CPU struct {
	// dir contains cpu.stat; usageFile contains the CPU time.
	dir       string
	usageFile string
	v2        bool
	// cores is the number of cores that the container may use.
	cores float64
}

// FindCPU locates the cgroup of this process below root (/sys/fs/cgroup) by its listing (/proc/self/cgroup). In a container, the cgroup's
// own folder is usually mounted as the root.
func FindCPU(root, listing string) (*CPU, error) {
	data, err := os.ReadFile(listing)
	if err != nil {
		return nil, fmt.Errorf("find the cgroup: %w", err)
	}
	paths := map[string]string{} // by controller; "" means version 2
	for line := range strings.Lines(string(data)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) == 3 {
			for controller := range strings.SplitSeq(fields[1], ",") {
				paths[controller] = fields[2]
			}
		}
	}
	c := &CPU{cores: float64(runtime.NumCPU())}
	if dir, ok := firstWith("cpu.stat", filepath.Join(root, paths[""]), root); ok && exists(filepath.Join(root, "cgroup.controllers")) {
		c.v2, c.dir, c.usageFile = true, dir, filepath.Join(dir, "cpu.stat")
	} else {
		dir, ok := firstWith("cpu.stat", v1Folders(root, "cpu", paths["cpu"])...)
		if !ok {
			return nil, fmt.Errorf("find the cgroup: no cpu controller below %s", root)
		}
		usage, ok := firstWith("cpuacct.usage", v1Folders(root, "cpuacct", paths["cpuacct"])...)
		if !ok {
			return nil, fmt.Errorf("find the cgroup: no cpuacct controller below %s", root)
		}
		c.dir, c.usageFile = dir, filepath.Join(usage, "cpuacct.usage")
	}
	if quota := c.quota(); quota > 0 {
		c.cores = min(c.cores, quota)
	}
	return c, nil
}

func v1Folders(root, controller, path string) []string {
	var folders []string
	for _, name := range []string{controller, "cpu,cpuacct", "cpuacct,cpu"} {
		folders = append(folders, filepath.Join(root, name, path), filepath.Join(root, name))
	}
	return folders
}

func firstWith(file string, folders ...string) (string, bool) {
	for _, f := range folders {
		if exists(filepath.Join(f, file)) {
			return f, true
		}
	}
	return "", false
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// quota returns the limit in cores; 0 for none.
func (c *CPU) quota() float64 {
	if c.v2 {
		fields := strings.Fields(readText(filepath.Join(c.dir, "cpu.max")))
		if len(fields) != 2 {
			return 0
		}
		return ratio(fields[0], fields[1])
	}
	return ratio(readText(filepath.Join(c.dir, "cpu.cfs_quota_us")), readText(filepath.Join(c.dir, "cpu.cfs_period_us")))
}

// ratio returns the ratio of two numbers; 0 if one of them is not positive ("max" and -1 mean no limit).
func ratio(a, b string) float64 {
	quota, err := strconv.ParseFloat(strings.TrimSpace(a), 64)
	if err != nil || quota <= 0 {
		return 0
	}
	period, err := strconv.ParseFloat(strings.TrimSpace(b), 64)
	if err != nil || period <= 0 {
		return 0
	}
	return quota / period
}

func readText(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

// Read returns the CPU use so far.
func (c *CPU) Read() (CPUReading, error) {
	r := CPUReading{At: time.Now()}
	data, err := os.ReadFile(c.usageFile)
	if err != nil {
		return r, fmt.Errorf("read CPU usage: %w", err)
	}
	stat := string(data)
	if c.v2 {
		r.Used = time.Duration(statField(stat, "usage_usec")) * time.Microsecond
		r.Throttled = time.Duration(statField(stat, "throttled_usec")) * time.Microsecond
		return r, nil
	}
	nanos, err := strconv.ParseInt(strings.TrimSpace(stat), 10, 64)
	if err != nil {
		return r, fmt.Errorf("read CPU usage: %w", err)
	}
	r.Used = time.Duration(nanos)
	r.Throttled = time.Duration(statField(readText(filepath.Join(c.dir, "cpu.stat")), "throttled_time"))
	return r, nil
}

func statField(stat, name string) int64 {
	for line := range strings.Lines(stat) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}

// UsedRatio returns the share of the available CPU that was used between two readings, 0 to about 1.
func (c *CPU) UsedRatio(from, to CPUReading) float64 {
	could := to.At.Sub(from.At).Seconds() * c.cores
	if could <= 0 {
		return 0
	}
	return (to.Used - from.Used).Seconds() / could
}
