package usage

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Share is the CPU time of the processes of one kind between two samples.
type Share struct {
	Kind string
	Used time.Duration
	// Kept reports whether they run or monitor the cluster, and are neither store nor load.
	Kept bool
}

// kinds maps marks in commands to kinds; the first match applies. Without a match, a process is a load, which is
// recognized by its orders, or a store.
var kinds = []struct {
	mark, kind string
}{
	{"containerd-shim", "containerd's shims"},
	{"/containerd ", "containerd"},
	{"/kubelet ", "kubelets"},
	{"/kube-proxy ", "kube-proxies"},
	{"/kube-apiserver ", "API server"},
	{"/etcd ", "etcd"},
	{"/kube-controller-manager ", "controllers and scheduler"},
	{"/kube-scheduler ", "controllers and scheduler"},
	{"/coredns ", "CoreDNS"},
	{"/ringside-cluster ", "ringside-cluster"},
	{"/meter ", "meter"},
	{"prometheus ", "Prometheus"},
	{"/operator", "operator"},
	{"/pause", "pause"},
}

const (
	loads  = "load"
	stores = "store and its probes"
)

func kindOf(process Process) (kind string, kept bool) {
	for _, known := range kinds {
		if strings.Contains(process.Command+" ", known.mark) {
			return known.kind, true
		}
	}
	if process.Load {
		return loads, false
	}
	return stores, false
}

// Between returns the shares between two samples, the largest first. A process that started in between counts from its
// start.
func Between(before, after map[int]Process) []Share {
	byKind := map[string]*Share{}
	for pid, process := range after {
		kind, kept := kindOf(process)
		share := byKind[kind]
		if share == nil {
			share = &Share{Kind: kind, Kept: kept}
			byKind[kind] = share
		}
		used := process.Used
		if was, found := before[pid]; found && was.Used <= used {
			used -= was.Used
		}
		share.Used += used
	}
	var shares []Share
	for _, share := range byKind {
		shares = append(shares, *share)
	}
	slices.SortFunc(shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Used, a.Used), strings.Compare(a.Kind, b.Kind))
	})
	return shares
}
