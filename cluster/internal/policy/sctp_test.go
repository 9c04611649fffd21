//go:build e2e

package policy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

const (
	sctpNetwork = "ip4:132"
	// sctpTagAt is the offset of the tag in an INIT packet: after the header and the header of its only chunk.
	sctpTagAt  = 16
	sctpLength = 32
)

// sctpHost implements the part of SCTP that begins an association: the kernel need not support the protocol for rules
// on it.
type sctpHost struct {
	socket *net.IPConn

	mu       sync.Mutex
	expected map[uint32]chan struct{} // by the received tag
}

func newSCTPHost(address netip.Addr) (*sctpHost, error) {
	socket, err := net.ListenIP(sctpNetwork, &net.IPAddr{IP: address.AsSlice()})
	if err != nil {
		return nil, err
	}
	h := &sctpHost{socket: socket, expected: map[uint32]chan struct{}{}}
	go h.listen()
	return h, nil
}

func (h *sctpHost) listen() {
	buffer := make([]byte, 128)
	for {
		n, _, err := h.socket.ReadFromIP(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil || n != sctpLength {
			continue
		}
		h.mu.Lock()
		tag := binary.BigEndian.Uint32(buffer[sctpTagAt:])
		if arrived, ok := h.expected[tag]; ok {
			delete(h.expected, tag)
			close(arrived)
		}
		h.mu.Unlock()
	}
}

// sendSCTP reports whether the packet arrived; false means that the packet filter rejected it.
func sendSCTP(p packet, to *sctpHost) (bool, error) {
	tag := rand.Uint32()
	arrived := make(chan struct{})
	to.mu.Lock()
	to.expected[tag] = arrived
	to.mu.Unlock()
	socket, err := net.DialIP(sctpNetwork, nil, &net.IPAddr{IP: p.to.AsSlice()})
	if err != nil {
		return false, err
	}
	defer socket.Close()
	refused := make(chan error, 1)
	go func() {
		for {
			if _, err := socket.Read(make([]byte, 128)); err != nil {
				refused <- err
				return
			}
		}
	}()
	if _, err := socket.Write(beginning(uint16(tag)|1024, p.port, tag)); err != nil {
		return false, err
	}
	select {
	case <-arrived:
		return true, nil
	case err := <-refused:
		if errors.Is(err, unix.EHOSTUNREACH) {
			return false, nil
		}
		return false, err
	case <-time.After(answerWithin):
		return false, fmt.Errorf("neither arrived nor refused within %v", answerWithin)
	}
}

// beginning returns a packet with an INIT chunk.
func beginning(from, to uint16, tag uint32) []byte {
	b := binary.BigEndian.AppendUint16(nil, from)
	b = binary.BigEndian.AppendUint16(b, to)
	b = append(b, 0, 0, 0, 0) // no association yet
	b = append(b, 0, 0, 0, 0) // checksum
	b = append(b, 1, 0, 0, sctpLength-12)
	b = binary.BigEndian.AppendUint32(b, tag)
	b = binary.BigEndian.AppendUint32(b, 65535) // window
	b = append(b, 0, 1, 0, 1)                   // streams
	b = binary.BigEndian.AppendUint32(b, 1)
	binary.LittleEndian.PutUint32(b[8:], crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	return b
}
