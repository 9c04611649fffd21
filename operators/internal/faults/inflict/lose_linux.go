package inflict

import (
	"context"
	"encoding/binary"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// Lose each packet of this network namespace by a chance in percent from now on, in and out, but those on the interface with the index spared,
// until the context ends. A packet is what the kernel handles at once: up to 64 KiB of a stream. Begun is called once it is so.
func Lose(ctx context.Context, spared uint32, percent int32, begun func()) error {
	return filtered(ctx, spared, []way{inwards, outwards}, func(a *netlink.AttributeEncoder) {
		byChance(a, uint32(percent))
		loses(a)
	}, begun)
}

// byChance goes on with so many packets in a hundred.
func byChance(a *netlink.AttributeEncoder, percent uint32) {
	const hundred = 100
	expression(a, "numgen", func(a *netlink.AttributeEncoder) {
		a.Uint32(unix.NFTA_NG_DREG, unix.NFT_REG_1)
		a.Uint32(unix.NFTA_NG_MODULUS, hundred)
		a.Uint32(unix.NFTA_NG_TYPE, unix.NFT_NG_RANDOM)
	})
	// The number is in the machine's order, and registers are compared byte by byte, the first weighing most.
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
