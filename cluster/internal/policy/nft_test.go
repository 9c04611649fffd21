package policy

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	"sigs.k8s.io/knftables"
)

func TestWritesWhatTheKernelIsToDo(t *testing.T) {
	one := policyOf(t, `
podSelector: {}
policyTypes: [Ingress, Egress]
ingress:
  - from: [{podSelector: {matchLabels: {app: b}}}, {ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16, 10.1.2.0/24]}}]
    ports: [{port: 81}, {port: 80}, {port: 90, endPort: 95}, {port: 53, protocol: UDP}]
egress:
  - ports: [{port: web}, {protocol: SCTP}]
  - to: [{ipBlock: {cidr: 0.0.0.0/0}}]
    ports: [{port: 443}]
`)
	web := func(p *core.Pod) {
		p.Spec.Containers = []core.Container{{Ports: []core.ContainerPort{{Name: "web", ContainerPort: 8080}}}}
	}
	world := World{
		Policies: []*networking.NetworkPolicy{one},
		Pods:     []*core.Pod{podOf("a", "node1", "10.201.1.2"), podOf("b", "node1", "10.201.1.3"), podOf("c", "node2", "10.201.2.2", web)},
	}
	rules, err := Compile(world, "node1")
	require.NoError(t, err)
	filter := knftables.NewFake(knftables.IPv4Family, Table)
	require.NoError(t, apply(t.Context(), filter, Ruleset{}), "at first")
	require.NoError(t, apply(t.Context(), filter, rules), "over others")
	assert.Equal(t, `add table ip ringside-policy { comment "NetworkPolicies of the pods of this node" ; }
add chain ip ringside-policy egress-0
add chain ip ringside-policy forward { type filter hook forward priority 0 ; }
add chain ip ringside-policy ingress-0
add set ip ringside-policy itself { type ipv4_addr . ipv4_addr ; }
add map ip ringside-policy listeners { type ipv4_addr : verdict ; }
add map ip ringside-policy speakers { type ipv4_addr : verdict ; }
add rule ip ringside-policy egress-0 ip saddr . ip daddr @itself return
add rule ip ringside-policy egress-0 meta l4proto sctp return comment "x/p"
add rule ip ringside-policy egress-0 ip daddr . meta l4proto . th dport { 10.201.2.2 . tcp . 8080 } return comment "x/p"
add rule ip ringside-policy egress-0 meta l4proto tcp th dport { 443 } return comment "x/p"
add rule ip ringside-policy egress-0 reject with icmp type admin-prohibited
add rule ip ringside-policy forward ct state established,related accept
add rule ip ringside-policy forward ip saddr vmap @speakers
add rule ip ringside-policy forward ip daddr vmap @listeners
add rule ip ringside-policy ingress-0 ip saddr . ip daddr @itself return
add rule ip ringside-policy ingress-0 ip saddr { 10.201.1.3 } meta l4proto tcp th dport { 80-81, 90-95 } return comment "x/p"
add rule ip ringside-policy ingress-0 ip saddr { 10.201.1.3 } meta l4proto udp th dport { 53 } return comment "x/p"
add rule ip ringside-policy ingress-0 ip saddr 10.0.0.0/8 ip saddr != { 10.1.0.0/16 } meta l4proto tcp th dport { 80-81, 90-95 } return comment "x/p"
add rule ip ringside-policy ingress-0 ip saddr 10.0.0.0/8 ip saddr != { 10.1.0.0/16 } meta l4proto udp th dport { 53 } return comment "x/p"
add rule ip ringside-policy ingress-0 reject with icmp type admin-prohibited
add element ip ringside-policy itself { 10.201.1.2 . 10.201.1.2 }
add element ip ringside-policy itself { 10.201.1.3 . 10.201.1.3 }
add element ip ringside-policy listeners { 10.201.1.2 : jump ingress-0 }
add element ip ringside-policy listeners { 10.201.1.3 : jump ingress-0 }
add element ip ringside-policy speakers { 10.201.1.2 : jump egress-0 }
add element ip ringside-policy speakers { 10.201.1.3 : jump egress-0 }
`, filter.Dump())
}
