package inflict

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

const (
	filterTable = "ringside-fault"
	// tableOwned (NFT_TABLE_F_OWNER, Linux 5.12) makes the kernel remove the table with its socket when the process ends in any way.
	tableOwned = 0x2
	// nobodys is the number of a packet queue without a reader; slowed that of the queue that Slow reads.
	nobodys, slowed = 65535, 65534
	// Loopback is the index of the loopback interface of a network namespace.
	Loopback = 1
)

const filterTakes = "it takes CAP_NET_ADMIN, and of the node's kernel, Linux 5.12 or later, nf_tables with nft_compat and xt_NFQUEUE"

// way is a direction of packets through a network namespace: the hook that they pass, and the key of the index of their interface.
type way struct {
	name string
	hook uint32
	meta uint32
}

var (
	inwards  = way{"in", unix.NF_INET_LOCAL_IN, unix.NFT_META_IIF}
	outwards = way{"out", unix.NF_INET_LOCAL_OUT, unix.NFT_META_OIF}
)

// filtered applies one rule to all packets of some directions through this network namespace, except on the interface with the index
// spared, until the context ends. It calls begun when the rule is in effect.
//
// filterTakes describes what it needs.
func filtered(ctx context.Context, spared uint32, ways []way, rule func(*netlink.AttributeEncoder), begun func()) error {
	connection, err := netlink.Dial(unix.NETLINK_NETFILTER, nil)
	if err != nil {
		return fmt.Errorf("open a socket to the packet filter: %w", err)
	}
	defer connection.Close() //nolint:errcheck // if the socket is closed, so is the table
	batch, err := filterOrders(spared, ways, rule)
	if err != nil {
		return err
	}
	if _, err := connection.SendMessages(batch); err != nil {
		return fmt.Errorf("send the packet filter's orders: %w", err)
	}
	for range batch[1 : len(batch)-1] { // the kernel acknowledges each order, or rejects the first invalid one
		if _, err := connection.Receive(); err != nil {
			return fmt.Errorf("filter the node's packets: %w (%s)", err, filterTakes)
		}
	}
	begun()
	<-ctx.Done()
	return nil
}

// filterOrders returns one transaction: a table, with a chain and the rule for each direction.
func filterOrders(spared uint32, ways []way, rule func(*netlink.AttributeEncoder)) ([]netlink.Message, error) {
	var w orders
	w.batch(unix.NFNL_MSG_BATCH_BEGIN)
	w.add(unix.NFT_MSG_NEWTABLE, func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_TABLE_NAME, filterTable)
		a.Uint32(unix.NFTA_TABLE_FLAGS, tableOwned)
	})
	for _, way := range ways {
		w.add(unix.NFT_MSG_NEWCHAIN, func(a *netlink.AttributeEncoder) {
			a.String(unix.NFTA_CHAIN_TABLE, filterTable)
			a.String(unix.NFTA_CHAIN_NAME, way.name)
			a.String(unix.NFTA_CHAIN_TYPE, "filter")
			a.Nested(unix.NFTA_CHAIN_HOOK, func(a *netlink.AttributeEncoder) error {
				a.Uint32(unix.NFTA_HOOK_HOOKNUM, way.hook)
				a.Uint32(unix.NFTA_HOOK_PRIORITY, 0)
				return nil
			})
		})
		w.add(unix.NFT_MSG_NEWRULE, func(a *netlink.AttributeEncoder) {
			a.String(unix.NFTA_RULE_TABLE, filterTable)
			a.String(unix.NFTA_RULE_CHAIN, way.name)
			a.Nested(unix.NFTA_RULE_EXPRESSIONS, func(a *netlink.AttributeEncoder) error {
				otherThan(a, way.meta, spared)
				rule(a)
				return nil
			})
		})
	}
	w.batch(unix.NFNL_MSG_BATCH_END)
	return w.messages, w.err
}

// otherThan matches packets whose interface, by the meta key, is not spared.
func otherThan(a *netlink.AttributeEncoder, meta, spared uint32) {
	expression(a, "meta", func(a *netlink.AttributeEncoder) {
		a.Uint32(unix.NFTA_META_DREG, unix.NFT_REG_1)
		a.Uint32(unix.NFTA_META_KEY, meta)
	})
	compared(a, unix.NFT_CMP_NEQ, binary.NativeEndian.AppendUint32(nil, spared)) // registers have the machine's byte order
}

// compared matches packets for which the comparison of the register with the value is true.
func compared(a *netlink.AttributeEncoder, how uint32, value []byte) {
	expression(a, "cmp", func(a *netlink.AttributeEncoder) {
		a.Uint32(unix.NFTA_CMP_SREG, unix.NFT_REG_1)
		a.Uint32(unix.NFTA_CMP_OP, how)
		a.Nested(unix.NFTA_CMP_DATA, func(a *netlink.AttributeEncoder) error {
			a.Bytes(unix.NFTA_DATA_VALUE, value)
			return nil
		})
	})
}

// loses drops matched packets without an error: they go to a queue without a reader, and the sender assumes that they were sent. If the
// filter dropped an outgoing packet, the sender would get an error and would retry by other rules.
func loses(a *netlink.AttributeEncoder) { toQueue(a, nobodys, 0) }

// toQueue sends matched packets to a queue, as iptables does (struct xt_NFQ_info_v3). Every kernel of a node with iptables on nf_tables has
// this expression; some have no other for this purpose.
func toQueue(a *netlink.AttributeEncoder, queue, flags uint16) {
	const revision, queues = 3, 1
	expression(a, "target", func(a *netlink.AttributeEncoder) {
		a.String(unix.NFTA_TARGET_NAME, "NFQUEUE")
		a.Uint32(unix.NFTA_TARGET_REV, revision)
		var info []byte
		for _, field := range []uint16{queue, queues, flags, 0} { // the last pads to eight bytes
			info = binary.NativeEndian.AppendUint16(info, field)
		}
		a.Bytes(unix.NFTA_TARGET_INFO, info)
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

// orders are messages to nf_tables, as in <linux/netfilter/nf_tables.h>.
type orders struct {
	messages []netlink.Message
	err      error
}

func (w *orders) batch(kind uint16) {
	message := netlink.Message{Header: netlink.Header{Type: netlink.HeaderType(kind), Flags: netlink.Request}}
	message.Data = nfnetlink(unix.AF_UNSPEC, unix.NFNL_SUBSYS_NFTABLES)
	w.messages = append(w.messages, message)
}

func (w *orders) add(kind uint16, write func(*netlink.AttributeEncoder)) {
	message, err := nfOrder(unix.NFNL_SUBSYS_NFTABLES, kind, netlink.Acknowledge|netlink.Create, nfnetlink(unix.NFPROTO_INET, 0), write)
	if err != nil && w.err == nil {
		w.err = err
	}
	w.messages = append(w.messages, message)
}

// nfOrder returns a message to a subsystem of the packet filter, with numbers in network byte order.
func nfOrder(part, kind uint16, flags netlink.HeaderFlags, header []byte, write func(*netlink.AttributeEncoder)) (netlink.Message, error) {
	attributes := netlink.NewAttributeEncoder()
	attributes.ByteOrder = binary.BigEndian
	write(attributes)
	data, err := attributes.Encode()
	if err != nil {
		return netlink.Message{}, fmt.Errorf("write an order to the packet filter: %w", err)
	}
	return netlink.Message{Header: netlink.Header{Type: netlink.HeaderType(part<<8 | kind), Flags: netlink.Request | flags}, Data: append(header, data...)}, nil
}

// nfnetlink returns the header of such messages: family, version and resource.
func nfnetlink(family byte, resource uint16) []byte {
	return binary.BigEndian.AppendUint16([]byte{family, unix.NFNETLINK_V0}, resource)
}
