package usage

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Share is what the processes of one kind used between two looks.
type Share struct {
	Kind string
	Used time.Duration
	// Kept is whether it keeps the cluster or looks at it: neither store nor load.
	Kept bool
}

// kinds by what their command holds; the first that fits. What fits none is somebody's store or load.
var kinds = []struct {
	mark, kind string
	kept       bool
}{
	{"CassandraDaemon", "store", false},
	{"ringside-stub.jar", "store", false},
	{"ringside-node", "probes", true},
	{"containerd-shim", "containerd's shims", true},
	{"/containerd ", "containerd", true},
	{"/kubelet ", "kubelets", true},
	{"/kube-proxy ", "kube-proxies", true},
	{"/kube-apiserver ", "API server", true},
	{"/etcd ", "etcd", true},
	{"/kube-controller-manager ", "controllers and scheduler", true},
	{"/kube-scheduler ", "controllers and scheduler", true},
	{"/coredns ", "CoreDNS", true},
	{"/ringside-cluster ", "ringside-cluster", true},
	{"/meter ", "meter", true},
	{"prometheus ", "Prometheus", true},
	{"/operator", "operator", true},
	{"/pause", "pause", true},
}

const others = "load and others"

func kindOf(command string) (kind string, kept bool) {
	for _, known := range kinds {
		if strings.Contains(command+" ", known.mark) {
			return known.kind, known.kept
		}
	}
	return others, false
}

// Between two looks: the shares, the largest first. A process that began in between counts from its start.
func Between(before, after map[int]Process) []Share {
	byKind := map[string]*Share{}
	for pid, process := range after {
		kind, kept := kindOf(process.Command)
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
