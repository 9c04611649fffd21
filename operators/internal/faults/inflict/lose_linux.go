package inflict

import (
	"context"
	"encoding/binary"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// Lose drops each packet of this network namespace with a probability in percent, in and out, except on the interface with the index
// spared, until the context ends. A packet is the unit that the kernel handles: up to 64 KiB of a stream. It calls begun when the rule is
// in effect.
func Lose(ctx context.Context, spared uint32, percent int32, begun func()) error {
	return filtered(ctx, spared, []way{inwards, outwards}, func(a *netlink.AttributeEncoder) {
		byChance(a, uint32(percent))
		loses(a)
	}, begun)
}

// byChance matches a percentage of the packets, at random.
func byChance(a *netlink.AttributeEncoder, percent uint32) {
	const hundred = 100
	expression(a, "numgen", func(a *netlink.AttributeEncoder) {
		a.Uint32(unix.NFTA_NG_DREG, unix.NFT_REG_1)
		a.Uint32(unix.NFTA_NG_MODULUS, hundred)
		a.Uint32(unix.NFTA_NG_TYPE, unix.NFT_NG_RANDOM)
	})
	// The random number has the machine's byte order, but registers are compared byte by byte, most significant first.
	const number = 4
	expression(a, "byteorder", func(a *netlink.AttributeEncoder) {
		a.Uint32(unix.NFTA_BYTEORDER_SREG, unix.NFT_REG_1)
		a.Uint32(unix.NFTA_BYTEORDER_DREG, unix.NFT_REG_1)
		a.Uint32(unix.NFTA_BYTEORDER_OP, unix.NFT_BYTEORDER_HTON)
		a.Uint32(unix.NFTA_BYTEORDER_LEN, number)
		a.Uint32(unix.NFTA_BYTEORDER_SIZE, number)
	})
	compared(a, unix.NFT_CMP_LT, binary.BigEndian.AppendUint32(nil, percent))
}
