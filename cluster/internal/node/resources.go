package node

import "fmt"

const (
	mebibyte = int64(1) << 20
	gibibyte = int64(1) << 30
	// evictionMemory is the free memory below which a kubelet evicts pods. It is part of the node's share.
	evictionMemory = 100 * mebibyte
	// The free disk space below which a kubelet evicts pods: the minimum, and the increment per node.
	evictionDiskLeast = 768 * mebibyte
	evictionDiskStep  = 64 * mebibyte
	// podMemory is the minimum memory that a useful node offers: for a small Cassandra and a load pod.
	podMemory = 2 * gibibyte
)

// Share is the memory that a node may promise to pods.
//
// Each kubelet sees the whole host. Memory cannot be shared: every node reserves the parts of the other nodes, so that
// together the nodes promise the host's memory. CPUs can be shared: the pods of a node may use all of them while the
// others are idle, so each node offers all. CPU requests of pods are therefore shares of the host, not a guarantee.
type Share struct {
	Reserved int64 // bytes that the kubelet reserves, of all that it sees
	Offered  int64 // bytes available to pods on this node
}

// HostReserve returns the memory for everything but pods: the control plane, the nodes' daemons, the host itself.
func HostReserve(nodes int) int64 { return 1536*mebibyte + int64(nodes)*256*mebibyte }

// MemoryNeeded returns the minimum free memory of a host with this many nodes.
func MemoryNeeded(nodes int) int64 {
	return HostReserve(nodes) + int64(nodes)*(podMemory+evictionMemory)
}

// InotifyNeeded returns the number of inotify instances of a cluster's daemons, as observed on an idle cluster: 6 for
// the API server and 5 for the controller manager; on each node 6 for the kubelet, 1 for containerd and 1 for
// kube-proxy. On control groups version 2, containerd's shims need another one for each container and sandbox: about 6 on
// a node during an experiment. All belong to root.
func InotifyNeeded(nodes int, unified bool) int {
	if unified {
		return 11 + 14*nodes
	}
	return 11 + 8*nodes
}

// ShareOf divides the usable memory among the nodes. Each kubelet sees all memory of the host.
func ShareOf(hostMemory, totalMemory int64, nodes int) (Share, error) {
	if nodes < 1 {
		return Share{}, fmt.Errorf("a cluster needs at least one node, not %d", nodes)
	}
	perNode := (totalMemory - HostReserve(nodes)) / int64(nodes)
	perNode -= perNode % mebibyte
	if perNode <= evictionMemory {
		return Share{}, fmt.Errorf("%d MiB of memory are too little for %d nodes", totalMemory/mebibyte, nodes)
	}
	return Share{Reserved: hostMemory - perNode, Offered: perNode - evictionMemory}, nil
}
