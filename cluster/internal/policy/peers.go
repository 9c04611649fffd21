package policy

import (
	"fmt"
	"net/netip"
	"slices"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// finder finds pods by labels.
type finder struct {
	pods       []pod
	namespaces map[string]labels.Set
}

func newFinder(pods []pod, namespaces []*core.Namespace) finder {
	f := finder{pods: pods, namespaces: map[string]labels.Set{}}
	for _, n := range namespaces {
		f.namespaces[n.Name] = n.Labels
	}
	return f
}

// selected returns the indexes of the pods that the policy selects.
func (f finder) selected(policy *networking.NetworkPolicy) ([]int, error) {
	selector, err := meta.LabelSelectorAsSelector(&policy.Spec.PodSelector)
	if err != nil {
		return nil, fmt.Errorf("podSelector: %w", err)
	}
	var found []int
	for i, p := range f.pods {
		if p.namespace == policy.Namespace && selector.Matches(labels.Set(p.labels)) {
			found = append(found, i)
		}
	}
	return found, nil
}

// peers returns the peers of a rule of a policy in the namespace: any address if the rule names none, and no address if
// nothing matches it.
func (f finder) peers(namespace string, named []networking.NetworkPolicyPeer) ([]Peers, error) {
	if len(named) == 0 {
		return []Peers{{Any: true}}, nil
	}
	var addresses []netip.Addr
	var blocks []Peers
	for _, peer := range named {
		if peer.IPBlock != nil {
			block, some, err := blockOf(*peer.IPBlock)
			if err != nil {
				return nil, err
			}
			if some {
				blocks = append(blocks, block)
			}
			continue
		}
		matching, err := f.matching(namespace, peer)
		if err != nil {
			return nil, err
		}
		addresses = append(addresses, matching...)
	}
	if len(addresses) == 0 {
		return blocks, nil
	}
	slices.SortFunc(addresses, netip.Addr.Compare)
	return append([]Peers{{Addresses: slices.Compact(addresses)}}, blocks...), nil
}

// matching returns the addresses of the matching pods: of the policy's own namespace, unless the rule selects
// namespaces.
func (f finder) matching(namespace string, peer networking.NetworkPolicyPeer) ([]netip.Addr, error) {
	pods := labels.Everything()
	if peer.PodSelector != nil {
		var err error
		if pods, err = meta.LabelSelectorAsSelector(peer.PodSelector); err != nil {
			return nil, fmt.Errorf("podSelector: %w", err)
		}
	}
	inNamespace := func(name string) bool { return name == namespace }
	if peer.NamespaceSelector != nil {
		namespaces, err := meta.LabelSelectorAsSelector(peer.NamespaceSelector)
		if err != nil {
			return nil, fmt.Errorf("namespaceSelector: %w", err)
		}
		inNamespace = func(name string) bool {
			set, known := f.namespaces[name]
			return known && namespaces.Matches(set)
		}
	}
	var found []netip.Addr
	for _, p := range f.pods {
		if inNamespace(p.namespace) && pods.Matches(labels.Set(p.labels)) {
			found = append(found, p.address)
		}
	}
	return found, nil
}

// blockOf ignores IPv6 blocks, which no packet here can match.
func blockOf(block networking.IPBlock) (peers Peers, some bool, err error) {
	whole, err := netip.ParsePrefix(block.CIDR)
	if err != nil {
		return Peers{}, false, fmt.Errorf("ipBlock: %w", err)
	}
	if !whole.Addr().Is4() {
		return Peers{}, false, nil
	}
	whole = whole.Masked()
	var except []netip.Prefix
	for _, text := range block.Except {
		hole, err := netip.ParsePrefix(text)
		if err != nil {
			return Peers{}, false, fmt.Errorf("ipBlock: except: %w", err)
		}
		hole = hole.Masked()
		if within(whole, hole) {
			return Peers{}, false, nil
		}
		if within(hole, whole) {
			except = append(except, hole)
		}
	}
	return Peers{Block: whole, Except: outermost(except)}, true, nil
}

// within reports whether inner is contained in outer.
func within(inner, outer netip.Prefix) bool {
	return outer.Bits() <= inner.Bits() && outer.Contains(inner.Addr())
}

// outermost removes prefixes that are contained in others: a set of the packet filter accepts no overlaps.
func outermost(prefixes []netip.Prefix) []netip.Prefix {
	slices.SortFunc(prefixes, func(a, b netip.Prefix) int {
		if a.Bits() != b.Bits() {
			return a.Bits() - b.Bits()
		}
		return a.Addr().Compare(b.Addr())
	})
	var kept []netip.Prefix
	for _, p := range prefixes {
		if !slices.ContainsFunc(kept, func(k netip.Prefix) bool { return within(p, k) }) {
			kept = append(kept, p)
		}
	}
	return kept
}

// contains reports whether the address is among the peers.
func (p Peers) contains(address netip.Addr) bool {
	if p.Any || slices.Contains(p.Addresses, address) {
		return true
	}
	return p.Block.IsValid() && p.Block.Contains(address) &&
		!slices.ContainsFunc(p.Except, func(hole netip.Prefix) bool { return hole.Contains(address) })
}
