package topology

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestGivesEveryNodeItsOwnAddresses(t *testing.T) {
	pods, services := netip.MustParsePrefix(PodCIDR), netip.MustParsePrefix(ServiceCIDR)
	machines := netip.PrefixFrom(netip.MustParseAddr(ControlPlaneIP), MachinePrefixBits).Masked()
	assert.False(t, pods.Overlaps(services) || pods.Overlaps(machines) || services.Overlaps(machines))
	assert.True(t, services.Contains(netip.MustParseAddr(APIServiceIP)))
	assert.True(t, services.Contains(netip.MustParseAddr(DNSServiceIP)))

	names, addresses, subnets := map[string]bool{}, map[string]bool{ControlPlaneIP: true}, map[string]bool{}
	nodes := Nodes(MaxNodes)
	for _, node := range nodes {
		assert.True(t, machines.Contains(netip.MustParseAddr(node.IP)), node.IP)
		assert.True(t, pods.Contains(netip.MustParsePrefix(node.PodSubnet).Addr()), node.PodSubnet)
		names[node.Name], addresses[node.IP], subnets[node.PodSubnet] = true, true, true
	}
	assert.Len(t, names, MaxNodes)
	assert.Len(t, addresses, MaxNodes+1)
	assert.Len(t, subnets, MaxNodes)
	assert.Equal(t, "node1", nodes[0].Name)
}
