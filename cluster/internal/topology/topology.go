// Package topology defines the names and addresses of the embedded cluster's machines.
//
// The networks exist only inside the cluster's network namespaces, so they cannot conflict with others.
package topology

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	// ControlPlane is the name of the machine that runs etcd, the API server and the controllers.
	ControlPlane = "control-plane"
	// ControlPlaneIP is the address of that machine, and of the API server.
	ControlPlaneIP = "10.200.0.1"
	// APIPort is the API server's port on ControlPlaneIP.
	APIPort = 6443
	// RegistryPort is the port of the image registry, if any, on ControlPlaneIP.
	RegistryPort = 5000
	// MachinePrefixBits is the prefix length of the network that connects the machines.
	MachinePrefixBits = 24
	// PodCIDR contains the pod subnets of all nodes.
	PodCIDR = "10.201.0.0/16"
	// ServiceCIDR contains the cluster IPs of services.
	ServiceCIDR = "10.202.0.0/16"
	// APIServiceIP is the cluster IP of the service "kubernetes": the first of ServiceCIDR.
	APIServiceIP = "10.202.0.1"
	// DNSServiceIP is the cluster IP of the service "kube-dns".
	DNSServiceIP = "10.202.0.10"
	// Domain is the cluster's DNS domain.
	Domain = "cluster.local"
	// MaxNodes is the largest number of nodes that the addresses allow.
	MaxNodes   = 64
	nodePrefix = "node"
)

// Node is one node of the cluster.
type Node struct {
	Name      string
	IP        string // on the network that connects the machines
	PodSubnet string // CIDR
}

// Number returns the number of the node, counted from 1.
func Number(n Node) int {
	number, _ := strconv.Atoi(strings.TrimPrefix(n.Name, nodePrefix)) // Nodes has created the name
	return number
}

// Nodes returns the first n nodes: node1, node2, ...
func Nodes(n int) []Node {
	nodes := make([]Node, 0, n)
	for i := 1; i <= n; i++ {
		nodes = append(nodes, Node{
			Name:      fmt.Sprintf("%s%d", nodePrefix, i),
			IP:        fmt.Sprintf("10.200.0.%d", 10+i),
			PodSubnet: fmt.Sprintf("10.201.%d.0/24", i),
		})
	}
	return nodes
}
