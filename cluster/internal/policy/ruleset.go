// Package policy enforces NetworkPolicies on one node: what they ask for is computed as a Ruleset, a value, from what the
// API server holds, written into a table of the node's packet filter in one transaction, and computed again when anything
// of it changes. No policy is kept but in the API server and, as rules, in the kernel.
package policy

import "net/netip"

// Ruleset is what a node's packet filter does for the pods on it. Packets of a pod that is not in it pass, as do those of
// connections that were let through when they began.
type Ruleset struct {
	Pods     []Pod    // of this node, by address; those that a policy selects
	Policies []Policy // that select one of them, by name
}

// Pod is isolated where a policy selects it: it may then be spoken to, or speak, only as one of its policies allows.
type Pod struct {
	Address netip.Addr
	Name    string   // <namespace>/<name>
	Ingress []string // names of policies; none: all may speak to it
	Egress  []string // names of policies; none: it may speak to all
}

// Policy allows what one of its matches takes.
type Policy struct {
	Name    string // <namespace>/<name>
	Ingress []Match
	Egress  []Match
}

// Match takes a packet whose other end is among the peers and whose destination's port is among the ports.
type Match struct {
	Peers Peers
	Ports Ports
}

// Peers are any address, some addresses, or a block of them without some. Exactly one of these is set.
type Peers struct {
	Any       bool
	Addresses []netip.Addr
	Block     netip.Prefix
	Except    []netip.Prefix // inside the block, none inside another
}

// Ports are any port of any protocol, some ranges of one, or the ports that pods have by name. Exactly one of these is set.
type Ports struct {
	Any       bool
	Protocol  string  // "tcp", "udp", "sctp"
	Ranges    []Range // of Protocol, apart from each other, ascending
	Endpoints []Endpoint
}

// Range is of ports, both ends included.
type Range struct{ First, Last uint16 }

// Endpoint is a port of a pod that was found by its name.
type Endpoint struct {
	Address  netip.Addr
	Protocol string
	Port     uint16
}
