package policy

import (
	"cmp"
	"slices"
	"strings"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// ports are those of a rule: numbers, and names whose number differs between pods.
type ports struct {
	numbered []Ports
	named    []namedPort
}

type namedPort struct {
	name     string
	protocol core.Protocol
}

// splitPorts returns any port if the rule names none.
func splitPorts(all []networking.NetworkPolicyPort) ports {
	if len(all) == 0 {
		return ports{numbered: []Ports{{Any: true}}}
	}
	var split ports
	ranges := map[string][]Range{}
	for _, p := range all {
		protocol := core.ProtocolTCP
		if p.Protocol != nil {
			protocol = *p.Protocol
		}
		if p.Port != nil && p.Port.Type == intstr.String {
			split.named = append(split.named, namedPort{p.Port.StrVal, protocol})
			continue
		}
		ranges[protocolName(protocol)] = append(ranges[protocolName(protocol)], rangeOf(p))
	}
	for protocol, found := range ranges {
		split.numbered = append(split.numbered, Ports{Protocol: protocol, Ranges: merge(found)})
	}
	slices.SortFunc(split.numbered, func(a, b Ports) int { return cmp.Compare(a.Protocol, b.Protocol) })
	return split
}

func protocolName(p core.Protocol) string { return strings.ToLower(string(p)) }

func rangeOf(p networking.NetworkPolicyPort) Range {
	if p.Port == nil {
		return allPorts
	}
	first := uint16(p.Port.IntValue()) // validated by the API server
	if p.EndPort != nil {
		return Range{first, uint16(*p.EndPort)}
	}
	return Range{first, first}
}

var allPorts = Range{0, 65535}

// merge joins ranges that overlap or touch: a set of the packet filter accepts no overlaps.
func merge(ranges []Range) []Range {
	slices.SortFunc(ranges, func(a, b Range) int { return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last)) })
	var merged []Range
	for _, r := range ranges {
		if n := len(merged); n > 0 && int(r.First) <= int(merged[n-1].Last)+1 {
			merged[n-1].Last = max(merged[n-1].Last, r.Last)
			continue
		}
		merged = append(merged, r)
	}
	return merged
}

// endpoints returns the ports with one of the names on pods among the peers.
func endpoints(names []namedPort, pods []pod, among Peers) []Endpoint {
	var found []Endpoint
	for _, wanted := range names {
		for _, p := range pods {
			if !among.contains(p.address) {
				continue
			}
			for _, port := range p.ports {
				if port.Name == wanted.name && cmp.Or(port.Protocol, core.ProtocolTCP) == wanted.protocol {
					found = append(found, Endpoint{p.address, protocolName(wanted.protocol), uint16(port.ContainerPort)})
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b Endpoint) int {
		return cmp.Or(a.Address.Compare(b.Address), cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.Port, b.Port))
	})
	return slices.Compact(found)
}
