package network

import (
	"fmt"
	"net"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"ringside.dev/ringside/cluster/internal/topology"
)

// MostDirect is up to how many nodes every two have a cable of their own: 28 of them for 8.
const MostDirect = 8

// ConnectDirectly joins two nodes by a cable, unless they are, and routes between their pods over it. What the stores say to
// each other then crosses no bridge and one namespace less. Without the cable their packets take the way over the bridge.
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

// cable makes it; each of its ends bears the name of the node at the other.
func cable(near, far *namespace, one, other topology.Node) error {
	nearEnd, nearErr := near.LinkByName(other.Name)
	farEnd, farErr := far.LinkByName(one.Name)
	if nearErr == nil && farErr == nil && nearEnd.Attrs().ParentIndex == farEnd.Attrs().Index {
		return nil
	}
	// What is left of a node that died: the kernel takes a while to clear up after it.
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

// routeOver sends what is for a node, or for its pods, over the cable that bears its name. Both, so that what a node itself
// sends to another's pods comes back the way it went: strict filters of reverse paths want it so.
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
