package policy

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/mattfenwick/cyclonus/pkg/generator"
	"github.com/mattfenwick/cyclonus/pkg/matcher"
	"github.com/stretchr/testify/require"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"ringside.dev/ringside/cluster/internal/topology"
)

// outside is an address that no pod has.
var outside = netip.MustParseAddr(topology.ControlPlaneIP)

const spare = 2 // additional pods per node that a case may create

// newWorld returns the world of cyclonus' cases: pods a, b and c in each of the namespaces x, y and z, on two nodes,
// all serving ports 80 and 81 of each protocol.
func newWorld() *world {
	w := &world{}
	for _, namespace := range []string{"x", "y", "z"} {
		w.setNamespace(namespace, map[string]string{"ns": namespace})
		for _, name := range []string{"a", "b", "c"} {
			w.addPod(namespace, name, map[string]string{"pod": name})
		}
	}
	return w
}

// world is a World with methods for changes by users.
type world struct{ World }

func (w *world) setNamespace(name string, labels map[string]string) {
	labels = maps.Clone(labels)
	if labels == nil {
		labels = map[string]string{}
	}
	labels[core.LabelMetadataName] = name
	w.Namespaces = append(slices.DeleteFunc(w.Namespaces, func(n *core.Namespace) bool { return n.Name == name }),
		&core.Namespace{ObjectMeta: meta.ObjectMeta{Name: name, Labels: labels}})
}

func (w *world) addPod(namespace, name string, labels map[string]string) {
	var container core.Container
	for _, port := range []int32{80, 81} {
		for _, protocol := range []core.Protocol{core.ProtocolTCP, core.ProtocolUDP, core.ProtocolSCTP} {
			container.Ports = append(container.Ports, core.ContainerPort{
				Name: fmt.Sprintf("serve-%d-%s", port, strings.ToLower(string(protocol))), ContainerPort: port, Protocol: protocol,
			})
		}
	}
	place := freePlace(w.Pods)
	w.Pods = append(w.Pods, &core.Pod{
		ObjectMeta: meta.ObjectMeta{Namespace: namespace, Name: name, Labels: labels},
		Spec:       core.PodSpec{NodeName: place.node, Containers: []core.Container{container}},
		Status:     core.PodStatus{Phase: core.PodRunning, PodIP: place.address.String()},
	})
}

// place is the node and address of a pod.
type place struct {
	node    string
	address netip.Addr
}

// places returns the places of the pods of the world, alternating between the nodes.
func places() []place {
	var all []place
	for i := range 9 + 2*spare {
		node := topology.Nodes(2)[i%2]
		subnet := netip.MustParsePrefix(node.PodSubnet).Addr().As4()
		subnet[3] = byte(2 + i)
		all = append(all, place{node.Name, netip.AddrFrom4(subnet)})
	}
	return all
}

func freePlace(pods []*core.Pod) place {
	for _, p := range places() {
		if !slices.ContainsFunc(pods, func(pod *core.Pod) bool { return pod.Status.PodIP == p.address.String() }) {
			return p
		}
	}
	panic("the world is full")
}

func (w *world) do(t *testing.T, action *generator.Action) {
	isPolicy := func(namespace, name string) func(*networking.NetworkPolicy) bool {
		return func(p *networking.NetworkPolicy) bool { return p.Namespace == namespace && p.Name == name }
	}
	isPod := func(namespace, name string) func(*core.Pod) bool {
		return func(p *core.Pod) bool { return p.Namespace == namespace && p.Name == name }
	}
	set := func(policy *networking.NetworkPolicy) {
		policy = policy.DeepCopy()
		scheme.Scheme.Default(policy)
		w.Policies = append(slices.DeleteFunc(w.Policies, isPolicy(policy.Namespace, policy.Name)), policy)
	}
	switch {
	case action.CreatePolicy != nil:
		set(action.CreatePolicy.Policy)
	case action.UpdatePolicy != nil:
		set(action.UpdatePolicy.Policy)
	case action.DeletePolicy != nil:
		w.Policies = slices.DeleteFunc(w.Policies, isPolicy(action.DeletePolicy.Namespace, action.DeletePolicy.Name))
	case action.CreateNamespace != nil:
		w.setNamespace(action.CreateNamespace.Namespace, action.CreateNamespace.Labels)
	case action.SetNamespaceLabels != nil:
		w.setNamespace(action.SetNamespaceLabels.Namespace, action.SetNamespaceLabels.Labels)
	case action.DeleteNamespace != nil:
		name := action.DeleteNamespace.Namespace
		w.Namespaces = slices.DeleteFunc(w.Namespaces, func(n *core.Namespace) bool { return n.Name == name })
		w.Pods = slices.DeleteFunc(w.Pods, func(p *core.Pod) bool { return p.Namespace == name })
		w.Policies = slices.DeleteFunc(w.Policies, func(p *networking.NetworkPolicy) bool { return p.Namespace == name })
	case action.CreatePod != nil:
		w.addPod(action.CreatePod.Namespace, action.CreatePod.Pod, action.CreatePod.Labels)
	case action.SetPodLabels != nil:
		i := slices.IndexFunc(w.Pods, isPod(action.SetPodLabels.Namespace, action.SetPodLabels.Pod))
		require.GreaterOrEqual(t, i, 0)
		w.Pods[i] = w.Pods[i].DeepCopy()
		w.Pods[i].Labels = action.SetPodLabels.Labels
	case action.DeletePod != nil:
		w.Pods = slices.DeleteFunc(w.Pods, isPod(action.DeletePod.Namespace, action.DeletePod.Pod))
	}
}

// rulesets returns the rules of the nodes.
func (w *world) rulesets(t *testing.T) map[string]Ruleset {
	t.Helper()
	rules := map[string]Ruleset{}
	for _, node := range topology.Nodes(2) {
		var err error
		rules[node.Name], err = Compile(w.World, node.Name)
		require.NoError(t, err)
	}
	return rules
}

// packets returns all packets that can be sent between pods, and between pods and an address that is no pod's.
func (w *world) packets() []packet {
	ends := []netip.Addr{outside}
	for _, p := range w.Pods {
		ends = append(ends, netip.MustParseAddr(p.Status.PodIP))
	}
	var all []packet
	for _, from := range ends {
		for _, to := range ends {
			if from == to {
				continue
			}
			for _, protocol := range []string{"tcp", "udp", "sctp"} {
				for _, port := range []uint16{80, 81} {
					all = append(all, packet{from, to, protocol, port})
				}
			}
		}
	}
	return all
}

// expect returns the answer of cyclonus' own model of NetworkPolicies.
func (w *world) expect(policies *matcher.Policy, p packet) bool {
	traffic := &matcher.Traffic{
		Source: w.peer(p.from), Destination: w.peer(p.to),
		ResolvedPort: int(p.port), Protocol: core.Protocol(strings.ToUpper(p.protocol)),
	}
	if to := w.podAt(p.to); to != nil {
		for _, port := range to.Spec.Containers[0].Ports {
			if port.ContainerPort == int32(p.port) && port.Protocol == traffic.Protocol {
				traffic.ResolvedPortName = port.Name
			}
		}
	}
	return policies.IsTrafficAllowed(traffic).IsAllowed()
}

func (w *world) podAt(address netip.Addr) *core.Pod {
	for _, p := range w.Pods {
		if p.Status.PodIP == address.String() {
			return p
		}
	}
	return nil
}

func (w *world) peer(address netip.Addr) *matcher.TrafficPeer {
	peer := &matcher.TrafficPeer{IP: address.String()}
	if p := w.podAt(address); p != nil {
		peer.Internal = &matcher.InternalPeer{PodLabels: p.Labels, Namespace: p.Namespace}
		for _, n := range w.Namespaces {
			if n.Name == p.Namespace {
				peer.Internal.NamespaceLabels = n.Labels
			}
		}
	}
	return peer
}

// name describes a packet in a failure.
func (w *world) name(p packet) string {
	end := func(address netip.Addr) string {
		if pod := w.podAt(address); pod != nil {
			return pod.Namespace + "/" + pod.Name
		}
		return address.String()
	}
	return fmt.Sprintf("%s to %s, %s %d", end(p.from), end(p.to), p.protocol, p.port)
}
