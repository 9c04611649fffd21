package policy

import (
	"net/netip"
	"slices"
)

// packet is the first packet of a connection.
type packet struct {
	from, to netip.Addr
	protocol string
	port     uint16
}

// passes returns whether a packet filter with the rules accepts the packet.
func (r Ruleset) passes(p packet) bool {
	if p.from == p.to {
		return true
	}
	policies := map[string]Policy{}
	for _, policy := range r.Policies {
		policies[policy.Name] = policy
	}
	for _, pod := range r.Pods {
		if pod.Address == p.from && len(pod.Egress) > 0 && !slices.ContainsFunc(pod.Egress, func(name string) bool {
			return slices.ContainsFunc(policies[name].Egress, func(m Match) bool { return m.takes(p.to, p) })
		}) {
			return false
		}
		if pod.Address == p.to && len(pod.Ingress) > 0 && !slices.ContainsFunc(pod.Ingress, func(name string) bool {
			return slices.ContainsFunc(policies[name].Ingress, func(m Match) bool { return m.takes(p.from, p) })
		}) {
			return false
		}
	}
	return true
}

func (m Match) takes(peer netip.Addr, p packet) bool {
	return m.Peers.contains(peer) && m.Ports.take(p)
}

func (at Ports) take(p packet) bool {
	switch {
	case at.Any:
		return true
	case len(at.Endpoints) > 0:
		return slices.Contains(at.Endpoints, Endpoint{p.to, p.protocol, p.port})
	}
	return at.Protocol == p.protocol && slices.ContainsFunc(at.Ranges, func(r Range) bool { return r.First <= p.port && p.port <= r.Last })
}
