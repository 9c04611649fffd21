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

// missingKernel tests each feature in temporary namespaces. The kernel may load a feature's module at this moment (see
// hoststate.OnDemand), as it does for any program that uses the feature.
func missingKernel() []string {
	var missing []string
	for _, namespace := range []string{"pid", "mnt", "net", "uts", "ipc"} {
		if _, err := os.Stat("/proc/self/ns/" + namespace); err != nil {
			missing = append(missing, namespace+" namespaces")
		}
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
		if nft, err := exec.LookPath("nft"); err == nil {
			missing = append(missing, missingRules(nft)...)
		}
		return nil
	})
	if err != nil {
		missing = append(missing, "the making of network namespaces")
	}
	return missing
}

// rules are examples of the kinds of rules that kube-proxy and the daemon for NetworkPolicies use.
var rules = []struct{ feature, rule string }{
	{"nf_tables", "add table ip probe"},
	{"nft NAT chains", "add chain ip probe nat { type nat hook prerouting priority -100; }"},
	{"nft destination NAT", "add rule ip probe nat ip daddr 192.0.2.1 tcp dport 80 dnat to 192.0.2.2:80"},
	{"nft fib", "add rule ip probe nat fib daddr type local accept"},
	{"nft numgen", "add rule ip probe nat numgen random mod 2 vmap { 0 : accept, 1 : accept }"},
	{"nft maps", "add map ip probe services { type ipv4_addr . inet_proto . inet_service : verdict; }"},
	{"nft connection tracking", "add rule ip probe nat ct state established accept"},
	{"nft masquerading", "add chain ip probe post { type nat hook postrouting priority 100; } ; add rule ip probe post masquerade"},
	{"nft reject", "add chain ip probe filter { type filter hook forward priority 0; } ; add rule ip probe filter reject with icmp type admin-prohibited"},
}

// missingRules adds each kind of rule separately, in the order of their dependencies.
func missingRules(nft string) []string {
	var missing []string
	for _, r := range rules {
		if exec.Command(nft, r.rule).Run() != nil {
			missing = append(missing, r.feature)
		}
	}
	return missing
}

// overlayWorks mounts an overlay over temporary directories in dir.
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

// inNewNamespaces runs work on a thread in new namespaces. The thread ends with work.
func inNewNamespaces(flags int, work func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread must not be used for anything else
		if err := unix.Unshare(flags); err != nil {
			done <- err
			return
		}
		done <- work()
	}()
	return <-done
}
