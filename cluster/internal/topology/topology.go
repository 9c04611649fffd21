// Package topology names the machines of the embedded cluster and gives each its addresses.
//
// The networks exist only inside the cluster's own network namespaces, so they clash with nothing outside.
package topology

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	// ControlPlane is the name of the machine that runs etcd, the API server and the controllers.
	ControlPlane = "control-plane"
	// ControlPlaneIP is that machine's address, the API server's among them.
	ControlPlaneIP = "10.200.0.1"
	// APIPort is the API server's port on ControlPlaneIP.
	APIPort = 6443
	// RegistryPort is the port of the registry of images on ControlPlaneIP, where there is one.
	RegistryPort = 5000
	// MachinePrefixBits is the size of the network that joins the machines.
	MachinePrefixBits = 24
	// PodCIDR holds every node's pod subnet.
	PodCIDR = "10.201.0.0/16"
	// ServiceCIDR holds the cluster IPs of services.
	ServiceCIDR = "10.202.0.0/16"
	// APIServiceIP is the cluster IP of the service "kubernetes": the first of ServiceCIDR.
	APIServiceIP = "10.202.0.1"
	// DNSServiceIP is the cluster IP of the service "kube-dns".
	DNSServiceIP = "10.202.0.10"
	// Domain is the cluster's DNS domain.
	Domain = "cluster.local"
	// MaxNodes is how many nodes the addressing has room for.
	MaxNodes   = 64
	nodePrefix = "node"
)

// Node is one node of the cluster.
type Node struct {
	Name      string
	IP        string // on the network that joins the machines
	PodSubnet string // CIDR
}

// Number counts the nodes from 1.
func Number(n Node) int {
	number, _ := strconv.Atoi(strings.TrimPrefix(n.Name, nodePrefix)) // Nodes made the name
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
