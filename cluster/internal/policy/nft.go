package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/knftables"
)

// Table is the name of the table. Only this package uses it.
const Table = "ringside-policy"

const (
	forwardChain = "forward"
	speakersMap  = "speakers"  // pods with restricted egress
	listenersMap = "listeners" // pods with restricted ingress
	itselfSet    = "itself"    // from a pod to itself
	addressToGo  = "ipv4_addr : verdict"
)

// apply replaces the table in one transaction: the rules are complete at every moment.
func apply(ctx context.Context, filter knftables.Interface, rules Ruleset) error {
	tx := filter.NewTransaction()
	tx.Add(&knftables.Table{}) // otherwise Delete would fail
	tx.Delete(&knftables.Table{})
	render(tx, rules)
	if err := filter.Run(ctx, tx); err != nil {
		return fmt.Errorf("write rules: %w", err)
	}
	return nil
}

// render writes the table. The rules apply only to forwarded packets, after the addresses of Services were translated
// to those of pods. Packets between a node itself and its pods, such as a kubelet's probes, do not pass them.
//
// A packet of an established connection costs one check of its state. The first packet of a connection costs two more
// address lookups, unless a policy selects its pod.
func render(tx *knftables.Transaction, rules Ruleset) {
	tx.Add(&knftables.Table{Comment: new("NetworkPolicies of the pods of this node")})
	tx.Add(&knftables.Map{Name: speakersMap, Type: addressToGo})
	tx.Add(&knftables.Map{Name: listenersMap, Type: addressToGo})
	tx.Add(&knftables.Set{Name: itselfSet, Type: "ipv4_addr . ipv4_addr"})
	for _, pod := range rules.Pods {
		tx.Add(&knftables.Element{Set: itselfSet, Key: []string{pod.Address.String(), pod.Address.String()}})
	}
	byName := map[string]Policy{}
	for _, policy := range rules.Policies {
		byName[policy.Name] = policy
	}
	renderSide(tx, rules.Pods, side{
		name: "egress", lookup: speakersMap, other: "ip daddr",
		policies: func(p Pod) []string { return p.Egress },
		matches:  func(policy string) []Match { return byName[policy].Egress },
	})
	renderSide(tx, rules.Pods, side{
		name: "ingress", lookup: listenersMap, other: "ip saddr",
		policies: func(p Pod) []string { return p.Ingress },
		matches:  func(policy string) []Match { return byName[policy].Ingress },
	})
	tx.Add(&knftables.Chain{
		Name: forwardChain,
		Type: new(knftables.FilterType), Hook: new(knftables.ForwardHook), Priority: new(knftables.FilterPriority),
	})
	tx.Add(&knftables.Rule{Chain: forwardChain, Rule: "ct state established,related accept"})
	tx.Add(&knftables.Rule{Chain: forwardChain, Rule: "ip saddr vmap @" + speakersMap})
	tx.Add(&knftables.Rule{Chain: forwardChain, Rule: "ip daddr vmap @" + listenersMap})
}

// side is one of the two directions. Both must accept a packet.
type side struct {
	name, lookup, other string
	policies            func(Pod) []string
	matches             func(policy string) []Match
}

// renderSide creates a chain for each combination of policies, which the pods of one store share. The chain returns for
// packets that a policy allows, and ends with a reject: a connection then fails at once with "no route to host", an
// error that has no other cause between pods, instead of timing out.
func renderSide(tx *knftables.Transaction, pods []Pod, s side) {
	var chains [][]string
	for _, pod := range pods {
		policies := s.policies(pod)
		if len(policies) == 0 {
			continue
		}
		i := slices.IndexFunc(chains, func(known []string) bool { return slices.Equal(known, policies) })
		chain := fmt.Sprintf("%s-%d", s.name, i)
		if i < 0 {
			chain = fmt.Sprintf("%s-%d", s.name, len(chains))
			chains = append(chains, policies)
			renderChain(tx, chain, policies, s)
		}
		tx.Add(&knftables.Element{Map: s.lookup, Key: []string{pod.Address.String()}, Value: []string{"jump " + chain}})
	}
}

func renderChain(tx *knftables.Transaction, chain string, policies []string, s side) {
	tx.Add(&knftables.Chain{Name: chain})
	// A pod can reach itself through a Service. No policy forbids that.
	tx.Add(&knftables.Rule{Chain: chain, Rule: "ip saddr . ip daddr @" + itselfSet + " return"})
	for _, policy := range policies {
		for _, match := range s.matches(policy) {
			tx.Add(&knftables.Rule{
				Chain:   chain,
				Rule:    knftables.Concat(renderPeers(s.other, match.Peers), renderPorts(match.Ports), "return"),
				Comment: comment(policy),
			})
		}
	}
	tx.Add(&knftables.Rule{Chain: chain, Rule: "reject with icmp type admin-prohibited"})
}

// comment truncates a name to the packet filter's limit for comments.
func comment(name string) *string {
	return new(name[:min(len(name), knftables.CommentLengthMax)])
}

func renderPeers(field string, peers Peers) []string {
	switch {
	case peers.Any:
		return nil
	case len(peers.Addresses) > 0:
		return []string{field, set(peers.Addresses)}
	}
	var words []string
	if peers.Block.Bits() > 0 {
		words = append(words, field, peers.Block.String())
	}
	if len(peers.Except) > 0 {
		words = append(words, field, "!=", set(peers.Except))
	}
	return words
}

func renderPorts(ports Ports) []string {
	switch {
	case ports.Any:
		return nil
	case len(ports.Endpoints) > 0:
		return []string{"ip daddr . meta l4proto . th dport", set(ports.Endpoints)}
	case ports.Ranges[0] == allPorts:
		return []string{"meta l4proto", ports.Protocol}
	}
	return []string{"meta l4proto", ports.Protocol, "th dport", set(ports.Ranges)}
}

func (r Range) String() string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}

func (e Endpoint) String() string { return fmt.Sprintf("%s . %s . %d", e.Address, e.Protocol, e.Port) }

func set[T fmt.Stringer](elements []T) string {
	texts := make([]string, 0, len(elements))
	for _, e := range elements {
		texts = append(texts, e.String())
	}
	return "{ " + strings.Join(texts, ", ") + " }"
}

// Sysctls are settings of a node's network namespace. They lift the rate limit of rejections, which is one per second
// and host by default.
var Sysctls = map[string]string{"net/ipv4/icmp_ratemask": "6160"} // the default without bit 3, "unreachable"
