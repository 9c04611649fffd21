// Package policy enforces NetworkPolicies on one node. It computes a Ruleset from the objects in the API server, writes
// it to a table of the node's packet filter in one transaction, and repeats this when an object changes. Policies are
// stored only in the API server and, as rules, in the kernel.
package policy

import "net/netip"

// Ruleset describes the packet filter for the pods of a node. Packets of pods that are not in it pass, as do packets of
// established connections.
type Ruleset struct {
	Pods     []Pod    // pods of this node that a policy selects, sorted by address
	Policies []Policy // policies that select one of the pods, sorted by name
}

// Pod is a pod that at least one policy selects. Its connections are restricted to those that one of its policies
// allows.
type Pod struct {
	Address netip.Addr
	Name    string   // <namespace>/<name>
	Ingress []string // names of policies; if empty, ingress is unrestricted
	Egress  []string // names of policies; if empty, egress is unrestricted
}

// Policy allows the packets that one of its matches accepts.
type Policy struct {
	Name    string // <namespace>/<name>
	Ingress []Match
	Egress  []Match
}

// Match accepts a packet if its other end is among the peers and its destination port is among the ports.
type Match struct {
	Peers Peers
	Ports Ports
}

// Peers are any address, some addresses, or a block with exceptions. Exactly one of these is set.
type Peers struct {
	Any       bool
	Addresses []netip.Addr
	Block     netip.Prefix
	Except    []netip.Prefix // inside the block; none contains another
}

// Ports are any port of any protocol, some ranges of one protocol, or endpoints found by name. Exactly one of these is
// set.
type Ports struct {
	Any       bool
	Protocol  string  // "tcp", "udp", "sctp"
	Ranges    []Range // of Protocol; ascending, with gaps between them
	Endpoints []Endpoint
}

// Range is a range of ports, including both ends.
type Range struct{ First, Last uint16 }

// Endpoint is a port of a pod that was found by its name.
type Endpoint struct {
	Address  netip.Addr
	Protocol string
	Port     uint16
}
