package node

import "fmt"

const (
	mebibyte = int64(1) << 20
	gibibyte = int64(1) << 30
	// evictionMemory is what a kubelet keeps free before it evicts pods; it comes out of the node's share.
	evictionMemory = 100 * mebibyte
	// What a kubelet keeps free on the disk before it evicts pods: the least, and what each further node adds.
	evictionDiskLeast = 768 * mebibyte
	evictionDiskStep  = 64 * mebibyte
	// podMemory is the least a node must offer to be of use: a small Cassandra and a load pod beside it.
	podMemory = 2 * gibibyte
)

// Share is what one node may promise to pods.
//
// Each kubelet sees the whole host. Memory cannot be shared, so every node reserves what is not its part: together
// the nodes promise what the host has. Processors can be: a node's pods may use all of them when the others are
// idle, so each node offers them all, and the requests of pods are shares of the host, not a guarantee.
type Share struct {
	Reserved int64 // bytes the kubelet must keep from pods, of all it sees
	Offered  int64 // bytes pods can get on this node
}

// HostReserve is the memory for what runs beside the pods: the control plane, the nodes' daemons, the host itself.
func HostReserve(nodes int) int64 { return 1536*mebibyte + int64(nodes)*256*mebibyte }

// MemoryNeeded is the least memory a host must have free for this many nodes.
func MemoryNeeded(nodes int) int64 {
	return HostReserve(nodes) + int64(nodes)*(podMemory+evictionMemory)
}

// InotifyNeeded is how many inotify instances the daemons of a cluster hold, as seen on one that was idle: the API server
// 6, the controller manager 5; on each node the kubelet 6, containerd 1, kube-proxy 1. All are root's.
func InotifyNeeded(nodes int) int { return 11 + 8*nodes }

// ShareOf splits the memory that can be used between the nodes. Each kubelet sees all that the host has.
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
