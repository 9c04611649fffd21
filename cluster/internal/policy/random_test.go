package policy

import (
	"fmt"
	"math/rand/v2"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// randomWorld has up to six policies with all kinds of rules, and pods whose ports have the same names but different
// numbers.
func randomWorld(r *rand.Rand) *world {
	w := newWorld()
	for _, pod := range w.Pods {
		if r.IntN(2) == 0 {
			ports := pod.Spec.Containers[0].Ports
			i := r.IntN(3)
			ports[i].Name, ports[i+3].Name = ports[i+3].Name, ports[i].Name
		}
	}
	g := random{r}
	for i := range 1 + r.IntN(6) {
		w.Policies = append(w.Policies, g.policy(fmt.Sprintf("policy-%d", i)))
	}
	return w
}

type random struct{ *rand.Rand }

func pick[T any](r random, all ...T) T { return all[r.IntN(len(all))] }

func (r random) policy(name string) *networking.NetworkPolicy {
	in, out := networking.PolicyTypeIngress, networking.PolicyTypeEgress
	p := &networking.NetworkPolicy{ObjectMeta: meta.ObjectMeta{Namespace: pick(r, "x", "y", "z"), Name: name}}
	p.Spec.PodSelector = *r.selector("pod", "a", "b", "c")
	p.Spec.PolicyTypes = pick(r, []networking.PolicyType{in}, []networking.PolicyType{out}, []networking.PolicyType{in, out})
	for range r.IntN(3) {
		p.Spec.Ingress = append(p.Spec.Ingress, networking.NetworkPolicyIngressRule{From: r.peers(), Ports: r.ports()})
	}
	for range r.IntN(3) {
		p.Spec.Egress = append(p.Spec.Egress, networking.NetworkPolicyEgressRule{To: r.peers(), Ports: r.ports()})
	}
	return p
}

func (r random) selector(key string, values ...string) *meta.LabelSelector {
	some := pick(r, values...)
	expression := func(key string, operator meta.LabelSelectorOperator, values ...string) *meta.LabelSelector {
		return &meta.LabelSelector{MatchExpressions: []meta.LabelSelectorRequirement{{Key: key, Operator: operator, Values: values}}}
	}
	switch r.IntN(6) {
	case 0:
		return &meta.LabelSelector{}
	case 1:
		return expression(key, meta.LabelSelectorOpIn, some, pick(r, values...))
	case 2:
		return expression(key, meta.LabelSelectorOpNotIn, some)
	case 3:
		return expression(pick(r, key, "absent"), pick(r, meta.LabelSelectorOpExists, meta.LabelSelectorOpDoesNotExist))
	default:
		return &meta.LabelSelector{MatchLabels: map[string]string{key: some}}
	}
}

func (r random) peers() []networking.NetworkPolicyPeer {
	var peers []networking.NetworkPolicyPeer
	for range r.IntN(3) {
		var peer networking.NetworkPolicyPeer
		switch r.IntN(4) {
		case 0:
			peer.PodSelector = r.selector("pod", "a", "b", "c")
		case 1:
			peer.NamespaceSelector = r.selector("ns", "x", "y", "z")
		case 2:
			peer.PodSelector, peer.NamespaceSelector = r.selector("pod", "a", "b", "c"), r.selector("ns", "x", "y", "z")
		case 3:
			peer.IPBlock = r.block()
		}
		peers = append(peers, peer)
	}
	return peers
}

func (r random) block() *networking.IPBlock {
	return pick(r,
		&networking.IPBlock{CIDR: "0.0.0.0/0"},
		&networking.IPBlock{CIDR: "10.201.1.0/24"},
		&networking.IPBlock{CIDR: "10.201.2.7/24"}, // not the first address of the block
		&networking.IPBlock{CIDR: "10.201.0.0/16", Except: []string{"10.201.1.0/28", "10.201.1.4/30", "10.201.2.3/32"}},
		&networking.IPBlock{CIDR: "0.0.0.0/0", Except: []string{"10.200.0.0/13"}},
		&networking.IPBlock{CIDR: outside.String() + "/32"},
		&networking.IPBlock{CIDR: "10.201.1.0/24", Except: []string{"10.201.1.0/25", "10.201.1.0/24"}},
		&networking.IPBlock{CIDR: "192.0.2.0/24"},
	)
}

func (r random) ports() []networking.NetworkPolicyPort {
	var ports []networking.NetworkPolicyPort
	for range r.IntN(4) {
		var port networking.NetworkPolicyPort
		protocol := pick(r, core.ProtocolTCP, core.ProtocolUDP, core.ProtocolSCTP)
		if r.IntN(3) > 0 {
			port.Protocol = &protocol
		} else {
			protocol = core.ProtocolTCP
		}
		switch r.IntN(5) {
		case 0: // all ports
		case 1:
			port.Port = new(intstr.FromString(fmt.Sprintf("serve-%d-%s", pick(r, 80, 81), protocolName(protocol))))
		case 2:
			first := pick[int32](r, 1, 79, 80, 81)
			port.Port, port.EndPort = new(intstr.FromInt32(first)), new(first+pick[int32](r, 0, 1, 2, 1000))
		default:
			port.Port = new(intstr.FromInt32(pick[int32](r, 79, 80, 81, 82)))
		}
		ports = append(ports, port)
	}
	return ports
}
