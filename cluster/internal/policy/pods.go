package policy

import (
	"net/netip"
	"slices"
	"time"

	core "k8s.io/api/core/v1"
)

// pod has the fields of a pod that rules depend on.
type pod struct {
	namespace, title string
	labels           map[string]string
	node             string
	address          netip.Addr
	ports            []core.ContainerPort // the named ones

	ending bool
	since  time.Time
}

func (p pod) name() string { return p.namespace + "/" + p.title }

// reachable returns the pods that have their own address, sorted by address. A finished pod has released its address; a
// terminating one keeps it until it has ended. If two pods have the same address, it belongs to the newer one: the
// other has released it, and its object is deleted soon.
func reachable(all []*core.Pod) []pod {
	holders := map[netip.Addr]pod{}
	for _, p := range all {
		address := addressOf(p)
		if !address.IsValid() || p.Spec.HostNetwork || p.Status.Phase == core.PodSucceeded || p.Status.Phase == core.PodFailed {
			continue
		}
		candidate := pod{
			namespace: p.Namespace, title: p.Name, labels: p.Labels, node: p.Spec.NodeName, address: address, ports: namedPorts(p),
			ending: p.DeletionTimestamp != nil, since: p.CreationTimestamp.Time,
		}
		if holder, taken := holders[address]; !taken || candidate.succeeds(holder) {
			holders[address] = candidate
		}
	}
	pods := make([]pod, 0, len(holders))
	for _, p := range holders {
		pods = append(pods, p)
	}
	slices.SortFunc(pods, func(a, b pod) int { return a.address.Compare(b.address) })
	return pods
}

func (p pod) succeeds(holder pod) bool {
	if p.ending != holder.ending {
		return holder.ending
	}
	if !p.since.Equal(holder.since) {
		return p.since.After(holder.since)
	}
	return p.name() < holder.name() // created in the same second: choose deterministically
}

// addressOf returns the pod's IPv4 address. The cluster's network has no IPv6.
func addressOf(p *core.Pod) netip.Addr {
	candidates := []string{p.Status.PodIP}
	for _, ip := range p.Status.PodIPs {
		candidates = append(candidates, ip.IP)
	}
	for _, text := range candidates {
		if address, err := netip.ParseAddr(text); err == nil && address.Is4() {
			return address
		}
	}
	return netip.Addr{}
}

func namedPorts(p *core.Pod) []core.ContainerPort {
	var named []core.ContainerPort
	add := func(c core.Container) {
		for _, port := range c.Ports {
			if port.Name != "" {
				named = append(named, port)
			}
		}
	}
	for _, c := range p.Spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == core.ContainerRestartPolicyAlways { // a sidecar, which runs next to the other containers
			add(c)
		}
	}
	for _, c := range p.Spec.Containers {
		add(c)
	}
	return named
}
