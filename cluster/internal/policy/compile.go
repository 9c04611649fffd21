package policy

import (
	"cmp"
	"fmt"
	"slices"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
)

// World has the objects that the rules depend on.
type World struct {
	Policies   []*networking.NetworkPolicy
	Pods       []*core.Pod
	Namespaces []*core.Namespace
}

// Compile returns the rules of a node.
func Compile(world World, node string) (Ruleset, error) {
	pods := reachable(world.Pods)
	finder := newFinder(pods, world.Namespaces)
	isolated := map[int]*Pod{} // by position in pods
	var rules Ruleset
	for _, policy := range world.Policies {
		name := policy.Namespace + "/" + policy.Name
		selected, err := finder.selected(policy)
		if err != nil {
			return Ruleset{}, fmt.Errorf("network policy %s: %w", name, err)
		}
		var here []pod
		ingress, egress := directions(policy)
		for _, i := range selected {
			if pods[i].node != node {
				continue
			}
			here = append(here, pods[i])
			if isolated[i] == nil {
				isolated[i] = &Pod{Address: pods[i].address, Name: pods[i].name()}
			}
			if ingress {
				isolated[i].Ingress = append(isolated[i].Ingress, name)
			}
			if egress {
				isolated[i].Egress = append(isolated[i].Egress, name)
			}
		}
		if len(here) == 0 {
			continue
		}
		compiled := Policy{Name: name}
		if ingress {
			for _, rule := range policy.Spec.Ingress {
				peers, err := finder.peers(policy.Namespace, rule.From)
				if err != nil {
					return Ruleset{}, fmt.Errorf("network policy %s: ingress: %w", name, err)
				}
				compiled.Ingress = append(compiled.Ingress, ingressMatches(peers, splitPorts(rule.Ports), here)...)
			}
		}
		if egress {
			for _, rule := range policy.Spec.Egress {
				peers, err := finder.peers(policy.Namespace, rule.To)
				if err != nil {
					return Ruleset{}, fmt.Errorf("network policy %s: egress: %w", name, err)
				}
				compiled.Egress = append(compiled.Egress, egressMatches(peers, splitPorts(rule.Ports), pods)...)
			}
		}
		rules.Policies = append(rules.Policies, compiled)
	}
	for _, pod := range isolated {
		slices.Sort(pod.Ingress)
		slices.Sort(pod.Egress)
		rules.Pods = append(rules.Pods, *pod)
	}
	slices.SortFunc(rules.Pods, func(a, b Pod) int { return a.Address.Compare(b.Address) })
	slices.SortFunc(rules.Policies, func(a, b Policy) int { return cmp.Compare(a.Name, b.Name) })
	return rules, nil
}

// directions returns the directions in which the policy isolates. Usually the API server has set the types; without
// them, it applies the same defaults.
func directions(policy *networking.NetworkPolicy) (ingress, egress bool) {
	types := policy.Spec.PolicyTypes
	if len(types) == 0 {
		return true, len(policy.Spec.Egress) > 0
	}
	return slices.Contains(types, networking.PolicyTypeIngress), slices.Contains(types, networking.PolicyTypeEgress)
}

// ingressMatches resolves named ports with the pods that the policy selects, because they are the destination of the
// packets.
func ingressMatches(peers []Peers, ports ports, selected []pod) []Match {
	all := ports.numbered
	if endpoints := endpoints(ports.named, selected, Peers{Any: true}); len(endpoints) > 0 {
		all = append(slices.Clone(all), Ports{Endpoints: endpoints})
	}
	var matches []Match
	for _, from := range peers {
		for _, at := range all {
			matches = append(matches, Match{from, at})
		}
	}
	return matches
}

// egressMatches resolves named ports with the destination pods: the resulting endpoints define both peers and ports.
func egressMatches(peers []Peers, ports ports, pods []pod) []Match {
	var matches []Match
	for _, to := range peers {
		for _, at := range ports.numbered {
			matches = append(matches, Match{to, at})
		}
		if endpoints := endpoints(ports.named, pods, to); len(endpoints) > 0 {
			matches = append(matches, Match{Peers{Any: true}, Ports{Endpoints: endpoints}})
		}
	}
	return matches
}
