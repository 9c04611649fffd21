package preflight

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// missingKernel tries each feature for real, in namespaces of its own that vanish afterwards.
func missingKernel() []string {
	var missing []string
	for _, namespace := range []string{"pid", "mnt", "net", "uts", "ipc"} {
		if _, err := os.Stat("/proc/self/ns/" + namespace); err != nil {
			missing = append(missing, namespace+" namespaces")
		}
	}
	if !bridgeFilterWorks() {
		missing = append(missing, "br_netfilter")
	}
	err := inNewNamespaces(unix.CLONE_NEWNET, func() error {
		bridge := &netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: "probe"}}
		if err := netlink.LinkAdd(bridge); err != nil {
			missing = append(missing, "bridge links")
		}
		cable := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: "near"}, PeerName: "far"}
		if err := netlink.LinkAdd(cable); err != nil {
			missing = append(missing, "veth links")
		}
		if nft, err := exec.LookPath("nft"); err == nil && exec.Command(nft, "add", "table", "ip", "probe").Run() != nil {
			missing = append(missing, "nf_tables")
		}
		return nil
	})
	if err != nil {
		missing = append(missing, "the making of network namespaces")
	}
	return missing
}

// bridgeFilterWorks loads the module if need be: replies between pods of one node must pass the packet filter.
func bridgeFilterWorks() bool {
	const sysctl = "/proc/sys/net/bridge/bridge-nf-call-iptables"
	if _, err := os.Stat(sysctl); err == nil {
		return true
	}
	_ = exec.Command("modprobe", "br_netfilter").Run() // what counts is whether the setting is there
	_, err := os.Stat(sysctl)
	return err == nil
}

// overlayWorks mounts an overlay over directories made for it in dir.
func overlayWorks(dir string) bool {
	probe, err := os.MkdirTemp(dir, ".overlay-probe-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(probe)
	for _, part := range []string{"lower", "upper", "work", "merged"} {
		if err := os.Mkdir(filepath.Join(probe, part), 0o755); err != nil {
			return false
		}
	}
	err = inNewNamespaces(unix.CLONE_NEWNS|unix.CLONE_FS, func() error {
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			return err
		}
		merged := filepath.Join(probe, "merged")
		options := fmt.Sprintf("lowerdir=%s/lower,upperdir=%s/upper,workdir=%s/work", probe, probe, probe)
		if err := unix.Mount("overlay", merged, "overlay", 0, options); err != nil {
			return err
		}
		return unix.Unmount(merged, 0)
	})
	return err == nil
}

// inNewNamespaces runs work on a thread that leaves the process's namespaces and ends with the work.
func inNewNamespaces(flags int, work func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread must not serve anyone else afterwards
		if err := unix.Unshare(flags); err != nil {
			done <- err
			return
		}
		done <- work()
	}()
	return <-done
}
