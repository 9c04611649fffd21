// Package network connects the cluster's machines: a bridge in the network namespace of the control plane, a virtual
// cable to each node, and a route to each node's pods. In a small cluster, each two nodes have their own cable as well.
// The host's network namespace gets no link, route or rule, and no machine has a default route, so no packet can leave.
package network

import (
	"errors"
	"fmt"
	"net"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"

	"ringside.dev/ringside/cluster/internal/topology"
)

const (
	bridgeName = "machines"
	uplinkName = "eth0"
)

// bridgeMAC is fixed. Otherwise a bridge has the address of one of its ports and changes it as ports are added and
// removed, and nodes would send to the old one until their neighbour tables expire, half a minute later.
var bridgeMAC = net.HardwareAddr{0x0a, 0x58, 10, 200, 0, 1}

// SetUpControlPlane creates the bridge in the network namespace of the process.
func SetUpControlPlane(pid int) error {
	h, err := enter(pid)
	if err != nil {
		return err
	}
	defer h.Close()
	if err := bringUp(h.Handle, "lo"); err != nil {
		return err
	}
	bridge := &netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: bridgeName, HardwareAddr: bridgeMAC}}
	if err := h.LinkAdd(bridge); err != nil && !errors.Is(err, unix.EEXIST) {
		return fmt.Errorf("add bridge: %w", err)
	}
	return address(h.Handle, bridgeName, topology.ControlPlaneIP)
}

// Connect connects a node to the bridge, unless it is connected, and adds routes between it and all other nodes through
// the bridge.
func Connect(controlPlane, nodePID int, node topology.Node, all []topology.Node) error {
	center, err := enter(controlPlane)
	if err != nil {
		return err
	}
	defer center.Close()
	edge, err := enter(nodePID)
	if err != nil {
		return err
	}
	defer edge.Close()
	if err := plugIn(center, edge, node.Name); err != nil {
		return fmt.Errorf("connect %s: %w", node.Name, err)
	}
	if err := bringUp(edge.Handle, "lo"); err != nil {
		return err
	}
	if err := address(edge.Handle, uplinkName, node.IP); err != nil {
		return err
	}
	if err := route(center.Handle, node.PodSubnet, node.IP); err != nil {
		return err
	}
	// Cluster IPs are translated before packets leave the node, but only packets with a route get that far.
	if err := route(edge.Handle, topology.ServiceCIDR, topology.ControlPlaneIP); err != nil {
		return err
	}
	for _, other := range all {
		if other == node {
			continue
		}
		if err := route(edge.Handle, other.PodSubnet, other.IP); err != nil {
			return err
		}
	}
	return nil
}

// namespace is a netlink handle in a process's network namespace.
type namespace struct {
	*netlink.Handle
	ns netns.NsHandle
}

func enter(pid int) (*namespace, error) {
	ns, err := netns.GetFromPid(pid)
	if err != nil {
		return nil, fmt.Errorf("open network namespace of process %d: %w", pid, err)
	}
	handle, err := netlink.NewHandleAt(ns, unix.NETLINK_ROUTE)
	if err != nil {
		_ = ns.Close()
		return nil, fmt.Errorf("talk to network namespace of process %d: %w", pid, err)
	}
	return &namespace{Handle: handle, ns: ns}, nil
}

func (n *namespace) Close() {
	n.Handle.Close()
	_ = n.ns.Close()
}

// plugIn creates the cable. Its end in center has the node's name.
func plugIn(center, edge *namespace, name string) error {
	near, nearErr := center.LinkByName(name)
	far, farErr := edge.LinkByName(uplinkName)
	if nearErr == nil && farErr == nil {
		return nil
	}
	// A single end remains of a machine that died: the kernel removes it with a delay.
	if nearErr == nil {
		if err := unplug(center, near); err != nil {
			return err
		}
	}
	if farErr == nil {
		if err := unplug(edge, far); err != nil {
			return err
		}
	}
	bridge, err := center.LinkByName(bridgeName)
	if err != nil {
		return fmt.Errorf("find bridge: %w", err)
	}
	cable := &netlink.Veth{
		LinkAttrs:     netlink.LinkAttrs{Name: name, MasterIndex: bridge.Attrs().Index},
		PeerName:      uplinkName,
		PeerNamespace: netlink.NsFd(edge.ns),
	}
	if err := center.LinkAdd(cable); err != nil {
		return fmt.Errorf("add cable: %w", err)
	}
	return bringUp(center.Handle, name)
}

func unplug(end *namespace, link netlink.Link) error {
	if err := end.LinkDel(link); err != nil && !errors.Is(err, unix.ENODEV) {
		return fmt.Errorf("remove old cable: %w", err)
	}
	return nil
}

func bringUp(h *netlink.Handle, name string) error {
	link, err := h.LinkByName(name)
	if err != nil {
		return fmt.Errorf("find link %s: %w", name, err)
	}
	if err := h.LinkSetUp(link); err != nil {
		return fmt.Errorf("bring up link %s: %w", name, err)
	}
	return nil
}

func address(h *netlink.Handle, name, ip string) error {
	link, err := h.LinkByName(name)
	if err != nil {
		return fmt.Errorf("find link %s: %w", name, err)
	}
	mask := net.CIDRMask(topology.MachinePrefixBits, 32)
	err = h.AddrReplace(link, &netlink.Addr{IPNet: &net.IPNet{IP: net.ParseIP(ip).To4(), Mask: mask}})
	if err != nil {
		return fmt.Errorf("set address of link %s: %w", name, err)
	}
	return bringUp(h, name)
}

func route(h *netlink.Handle, subnet, via string) error {
	_, destination, err := net.ParseCIDR(subnet)
	if err != nil {
		return fmt.Errorf("parse subnet: %w", err)
	}
	if err := h.RouteReplace(&netlink.Route{Dst: destination, Gw: net.ParseIP(via)}); err != nil {
		return fmt.Errorf("add route to %s: %w", subnet, err)
	}
	return nil
}
