package inflict

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// From <linux/netfilter/nfnetlink_queue.h>: kinds of messages, their attributes, and values.
const (
	queueConfig, queueVerdicts = 2, 3 // NFQNL_MSG_CONFIG, NFQNL_MSG_VERDICT_BATCH

	queueCommand, queueParameters, queueLongest, queueMask, queueFlags = 1, 2, 3, 4, 5 // NFQA_CFG_*
	queueBind                                                          = 1             // NFQNL_CFG_CMD_BIND
	queueNoPayload                                                     = 1             // NFQNL_COPY_META
	queueWhole                                                         = 1 << 2        // NFQA_CFG_F_GSO: do not split packets

	packetHeader, packetVerdict = 1, 2 // NFQA_PACKET_HDR, NFQA_VERDICT_HDR
	accept                      = 1    // NF_ACCEPT
)

const (
	// mostHeld is the most packets in the queue; further ones are lost. It allows a delay of one second at 60,000 packets a second.
	mostHeld = 1 << 16
	// unread is the buffer for the kernel's messages about packets, of about 1 KiB each.
	unread = 32 << 20
	// grain is the resolution of delays: packets due within one grain are released with one call.
	grain = 250 * time.Microsecond
	// headerLength is the length of the header after netlink's own.
	headerLength = 4
)

// queue is a packet queue that this process reads.
type queue struct {
	connection *netlink.Conn
	number     uint16
	counts     *os.File // counts of this network namespace's queues
}

// packet is a delayed packet, with its due time since the start of hold.
type packet struct {
	id  uint32
	due time.Duration
}

// openQueue opens the queue with a number, which must be unused in this network namespace.
func openQueue(number uint16) (*queue, error) {
	const takes = "it takes CAP_NET_ADMIN, and of the node's kernel nfnetlink_queue"
	counts, err := os.Open("/proc/thread-self/net/netfilter/nfnetlink_queue")
	if err != nil {
		return nil, fmt.Errorf("count the node's packets: %w (%s)", err, takes)
	}
	connection, err := netlink.Dial(unix.NETLINK_NETFILTER, &netlink.Config{MessageBufferSize: os.Getpagesize()})
	if err != nil {
		_ = counts.Close()
		return nil, fmt.Errorf("open a socket to the queue of packets: %w", err)
	}
	q := &queue{connection, number, counts}
	if err := q.bind(); err != nil {
		q.close()
		return nil, fmt.Errorf("read the node's packets: %w (%s)", err, takes)
	}
	return q, nil
}

// close closes the queue. Packets in it are lost.
func (q *queue) close() {
	_ = q.connection.Close() // already closed perhaps
	_ = q.counts.Close()
}

// bind binds the queue before it sets parameters, because only a bound queue has any.
func (q *queue) bind() error {
	for _, write := range []func(*netlink.AttributeEncoder){
		func(a *netlink.AttributeEncoder) { a.Bytes(queueCommand, []byte{queueBind, 0, 0, 0}) },
		func(a *netlink.AttributeEncoder) {
			a.Bytes(queueParameters, []byte{0, 0, 0, 0, queueNoPayload})
			a.Uint32(queueLongest, mostHeld)
			a.Uint32(queueMask, queueWhole)
			a.Uint32(queueFlags, queueWhole)
		},
	} {
		message, err := nfOrder(unix.NFNL_SUBSYS_QUEUE, queueConfig, netlink.Acknowledge, nfnetlink(unix.AF_UNSPEC, q.number), write)
		if err != nil {
			return err
		}
		if _, err := q.connection.Execute(message); err != nil {
			return err
		}
	}
	return q.connection.SetReadBuffer(unread)
}

// hold delays each packet by a time, until the context ends.
func (q *queue) hold(ctx context.Context, by time.Duration) error {
	began, last := time.Now(), uint32(0)
	var held []packet // in order of arrival, which is the order of due times
	defer context.AfterFunc(ctx, func() { _ = q.connection.SetReadDeadline(began) })()
	for {
		until := time.Time{}
		if len(held) > 0 {
			until = began.Add(held[0].due)
		}
		if err := q.connection.SetReadDeadline(until); err != nil {
			return fmt.Errorf("await the node's packets: %w", err)
		}
		if ctx.Err() != nil { // checked after setting the deadline, which would otherwise override that of the context's end
			return q.free(last + math.MaxInt32) // including packets not announced yet
		}
		messages, err := q.connection.Receive()
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return fmt.Errorf("read the node's packets: %w", err)
		}
		now := time.Since(began)
		for _, message := range messages {
			if last, err = idOf(message); err != nil {
				return err
			}
			held = append(held, packet{last, (now + by).Round(grain)})
		}
		due := dueOf(held, now)
		if due == 0 {
			continue
		}
		if err := q.free(held[due-1].id); err != nil {
			return err
		}
		held = held[due:]
	}
}

// dueOf returns how many packets are due.
func dueOf(held []packet, now time.Duration) (count int) {
	for count < len(held) && held[count].due <= now {
		count++
	}
	return count
}

// free releases all packets up to one, in order of arrival.
func (q *queue) free(last uint32) error {
	verdict := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, accept), last)
	message, err := nfOrder(unix.NFNL_SUBSYS_QUEUE, queueVerdicts, 0, nfnetlink(unix.AF_UNSPEC, q.number),
		func(a *netlink.AttributeEncoder) { a.Bytes(packetVerdict, verdict) })
	if err != nil {
		return err
	}
	if _, err := q.connection.Send(message); err != nil {
		return fmt.Errorf("let the node's packets go on: %w", err)
	}
	return nil
}

// idOf returns the number of a message's packet.
func idOf(message netlink.Message) (uint32, error) {
	if len(message.Data) >= headerLength {
		attributes, err := netlink.NewAttributeDecoder(message.Data[headerLength:])
		if err != nil {
			return 0, fmt.Errorf("read the node's packets: %w", err)
		}
		for attributes.Next() {
			if header := attributes.Bytes(); attributes.Type() == packetHeader && len(header) >= 4 {
				return binary.BigEndian.Uint32(header), nil
			}
		}
	}
	return 0, errors.New("read the node's packets: the kernel told of one without its number")
}

// complete returns an error if packets were lost because the queue or its buffer was full.
func (q *queue) complete() error {
	text, err := io.ReadAll(q.counts)
	if err != nil {
		return fmt.Errorf("count the node's packets that were not held: %w", err)
	}
	const numberAt, lostAt, unreadAt = 0, 5, 6
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) <= unreadAt || fields[numberAt] != strconv.Itoa(int(q.number)) {
			continue
		}
		if fields[lostAt] != "0" || fields[unreadAt] != "0" {
			return fmt.Errorf("the node's packets came faster than they could be held: %s and %s were lost, so ask for less at a time", fields[lostAt], fields[unreadAt])
		}
		return nil
	}
	return fmt.Errorf("count the node's packets that were not held: the kernel does not tell of queue %d", q.number)
}
