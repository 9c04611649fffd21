package network

import (
	"fmt"
	"net"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"ringside.dev/ringside/cluster/internal/topology"
)

// MostDirect is the largest number of nodes that are connected directly, each two by their own virtual cable: 28 cables
// for 8 nodes.
const MostDirect = 8

// ConnectDirectly connects two nodes by a virtual cable, unless they are connected, and routes packets between their
// pods over it. Packets between stores then pass no bridge, and one namespace less. Without the cable they pass the
// bridge.
func ConnectDirectly(onePID, otherPID int, one, other topology.Node) error {
	near, err := enter(onePID)
	if err != nil {
		return err
	}
	defer near.Close()
	far, err := enter(otherPID)
	if err != nil {
		return err
	}
	defer far.Close()
	if err := cable(near, far, one, other); err != nil {
		return fmt.Errorf("connect %s and %s: %w", one.Name, other.Name, err)
	}
	if err := routeOver(near, other); err != nil {
		return err
	}
	return routeOver(far, one)
}

// cable creates the cable. Each end has the name of the node at the other end.
func cable(near, far *namespace, one, other topology.Node) error {
	nearEnd, nearErr := near.LinkByName(other.Name)
	farEnd, farErr := far.LinkByName(one.Name)
	if nearErr == nil && farErr == nil && nearEnd.Attrs().ParentIndex == farEnd.Attrs().Index {
		return nil
	}
	// Remains of a node that died: the kernel removes them with a delay.
	if nearErr == nil {
		if err := unplug(near, nearEnd); err != nil {
			return err
		}
	}
	if farErr == nil {
		if err := unplug(far, farEnd); err != nil {
			return err
		}
	}
	link := &netlink.Veth{LinkAttrs: netlink.LinkAttrs{Name: other.Name}, PeerName: one.Name, PeerNamespace: netlink.NsFd(far.ns)}
	if err := near.LinkAdd(link); err != nil {
		return fmt.Errorf("add cable: %w", err)
	}
	if err := bringUp(near.Handle, other.Name); err != nil {
		return err
	}
	return bringUp(far.Handle, one.Name)
}

// routeOver routes packets to a node and to its pods over the cable with its name. Both are needed: with strict reverse
// path filtering, packets from a node to another node's pods must return the same way.
func routeOver(n *namespace, to topology.Node) error {
	link, err := n.LinkByName(to.Name)
	if err != nil {
		return fmt.Errorf("find link %s: %w", to.Name, err)
	}
	gateway := net.ParseIP(to.IP).To4()
	self := &net.IPNet{IP: gateway, Mask: net.CIDRMask(32, 32)}
	if err := n.RouteReplace(&netlink.Route{Dst: self, LinkIndex: link.Attrs().Index, Scope: netlink.SCOPE_LINK}); err != nil {
		return fmt.Errorf("add route to %s: %w", to.IP, err)
	}
	_, subnet, err := net.ParseCIDR(to.PodSubnet)
	if err != nil {
		return fmt.Errorf("parse subnet: %w", err)
	}
	err = n.RouteReplace(&netlink.Route{
		Dst: subnet, Gw: gateway, LinkIndex: link.Attrs().Index, Flags: unix.RTNH_F_ONLINK,
	})
	if err != nil {
		return fmt.Errorf("add route to %s: %w", to.PodSubnet, err)
	}
	return nil
}
