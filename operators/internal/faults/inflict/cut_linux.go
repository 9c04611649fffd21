package inflict

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

const (
	cutTable = "ringside-cut"
	// tableOwned (NFT_TABLE_F_OWNER, Linux 5.12): the kernel removes the table with the socket that made it, however its process ends.
	tableOwned = 0x2
	// drop is NF_DROP, of <linux/netfilter.h>.
	drop = 0
	// Loopback is the index of a network namespace's own loopback interface.
	Loopback = 1
)

// Cut drops every packet of this network namespace from now on, in and out, but those on the interface with the index spared, until the context
// ends. Whoever is connected is told nothing: it looks as if the cable were out. Dropped is called once nothing passes.
//
// What it takes is CAP_NET_ADMIN, and Linux 5.12.
func Cut(ctx context.Context, spared uint32, dropped func()) error {
	connection, err := netlink.Dial(unix.NETLINK_NETFILTER, nil)
	if err != nil {
		return fmt.Errorf("open a socket to the packet filter: %w", err)
	}
	defer connection.Close() //nolint:errcheck // it may have ended: so has the cut
	batch, err := cutOrders(spared)
	if err != nil {
		return fmt.Errorf("write the packet filter's orders: %w", err)
	}
	if _, err := connection.SendMessages(batch); err != nil {
		return fmt.Errorf("send the packet filter's orders: %w", err)
	}
	for range batch[1 : len(batch)-1] { // each is acknowledged, or the first that cannot be is refused
		if _, err := connection.Receive(); err != nil {
			return fmt.Errorf("drop the node's packets: %w (it takes CAP_NET_ADMIN, and nf_tables of Linux 5.12 or later)", err)
		}
	}
	dropped()
	<-ctx.Done()
	return nil
}

// cutOrders are one transaction: a table, and a chain for each direction with the rule that drops.
func cutOrders(spared uint32) ([]netlink.Message, error) {
	var w orders
	w.batch(unix.NFNL_MSG_BATCH_BEGIN)
	w.add(unix.NFT_MSG_NEWTABLE, func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_TABLE_NAME, cutTable)
		a.Uint32(unix.NFTA_TABLE_FLAGS, tableOwned)
	})
	for _, way := range []struct {
		name string
		hook uint32
		meta uint32
	}{{"in", unix.NF_INET_LOCAL_IN, unix.NFT_META_IIF}, {"out", unix.NF_INET_LOCAL_OUT, unix.NFT_META_OIF}} {
		w.add(unix.NFT_MSG_NEWCHAIN, func(a *netlink.AttributeEncoder) {
			a.String(unix.NFTA_CHAIN_TABLE, cutTable)
			a.String(unix.NFTA_CHAIN_NAME, way.name)
			a.String(unix.NFTA_CHAIN_TYPE, "filter")
			a.Nested(unix.NFTA_CHAIN_HOOK, func(a *netlink.AttributeEncoder) error {
				a.Uint32(unix.NFTA_HOOK_HOOKNUM, way.hook)
				a.Uint32(unix.NFTA_HOOK_PRIORITY, 0)
				return nil
			})
		})
		w.add(unix.NFT_MSG_NEWRULE, func(a *netlink.AttributeEncoder) {
			a.String(unix.NFTA_RULE_TABLE, cutTable)
			a.String(unix.NFTA_RULE_CHAIN, way.name)
			a.Nested(unix.NFTA_RULE_EXPRESSIONS, func(a *netlink.AttributeEncoder) error {
				dropBut(a, way.meta, spared)
				return nil
			})
		})
	}
	w.batch(unix.NFNL_MSG_BATCH_END)
	return w.messages, w.err
}

// dropBut drops a packet unless its interface, which the meta key tells, is the one spared.
func dropBut(a *netlink.AttributeEncoder, meta, spared uint32) {
	expression(a, "meta", func(a *netlink.AttributeEncoder) {
		a.Uint32(unix.NFTA_META_DREG, unix.NFT_REG_1)
		a.Uint32(unix.NFTA_META_KEY, meta)
	})
	expression(a, "cmp", func(a *netlink.AttributeEncoder) {
		a.Uint32(unix.NFTA_CMP_SREG, unix.NFT_REG_1)
		a.Uint32(unix.NFTA_CMP_OP, unix.NFT_CMP_NEQ)
		a.Nested(unix.NFTA_CMP_DATA, func(a *netlink.AttributeEncoder) error {
			a.Bytes(unix.NFTA_DATA_VALUE, binary.NativeEndian.AppendUint32(nil, spared)) // a register has the machine's order
			return nil
		})
	})
	expression(a, "immediate", func(a *netlink.AttributeEncoder) {
		a.Uint32(unix.NFTA_IMMEDIATE_DREG, unix.NFT_REG_VERDICT)
		a.Nested(unix.NFTA_IMMEDIATE_DATA, func(a *netlink.AttributeEncoder) error {
			a.Nested(unix.NFTA_DATA_VERDICT, func(a *netlink.AttributeEncoder) error {
				a.Uint32(unix.NFTA_VERDICT_CODE, drop)
				return nil
			})
			return nil
		})
	})
}

func expression(a *netlink.AttributeEncoder, name string, data func(*netlink.AttributeEncoder)) {
	a.Nested(unix.NFTA_LIST_ELEM, func(a *netlink.AttributeEncoder) error {
		a.String(unix.NFTA_EXPR_NAME, name)
		a.Nested(unix.NFTA_EXPR_DATA, func(a *netlink.AttributeEncoder) error {
			data(a)
			return nil
		})
		return nil
	})
}

// orders to nf_tables, as <linux/netfilter/nf_tables.h> has them: numbers in network order, behind a header of family, version and resource.
type orders struct {
	messages []netlink.Message
	err      error
}

func (w *orders) batch(kind uint16) {
	w.messages = append(w.messages, netlink.Message{
		Header: netlink.Header{Type: netlink.HeaderType(kind), Flags: netlink.Request},
		Data:   binary.BigEndian.AppendUint16([]byte{unix.AF_UNSPEC, unix.NFNETLINK_V0}, unix.NFNL_SUBSYS_NFTABLES),
	})
}

func (w *orders) add(kind uint16, write func(*netlink.AttributeEncoder)) {
	attributes := netlink.NewAttributeEncoder()
	attributes.ByteOrder = binary.BigEndian
	write(attributes)
	data, err := attributes.Encode()
	if err != nil && w.err == nil {
		w.err = err
	}
	w.messages = append(w.messages, netlink.Message{
		Header: netlink.Header{Type: netlink.HeaderType(unix.NFNL_SUBSYS_NFTABLES<<8 | kind), Flags: netlink.Request | netlink.Acknowledge | netlink.Create},
		Data:   append([]byte{unix.NFPROTO_INET, unix.NFNETLINK_V0, 0, 0}, data...),
	})
}
