package main

import (
	"encoding/binary"
	"fmt"
	"syscall"
	"time"
)

// The part of the kernel's sock_diag(7) that lists TCP sockets in one state.
const (
	netlinkSockDiag  = 4
	sockDiagByFamily = 20
	stateListen      = 10
	// diagRequestSize is the size of struct inet_diag_req_v2; fields that are not set match any address.
	diagRequestSize = 56
	// diagPortOffset is the offset of the local port in struct inet_diag_msg, in network byte order.
	diagPortOffset = 4
)

// askForListeners asks the kernel for the listening TCP sockets of this network namespace. It needs no privilege.
func askForListeners() (map[int]bool, error) {
	socket, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, netlinkSockDiag)
	if err != nil {
		return nil, fmt.Errorf("asking for listening sockets: %w", err)
	}
	defer func() { _ = syscall.Close(socket) }()
	timeout := syscall.NsecToTimeval(time.Second.Nanoseconds())
	if err := syscall.SetsockoptTimeval(socket, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &timeout); err != nil {
		return nil, fmt.Errorf("asking for listening sockets: %w", err)
	}
	ports := make(map[int]bool)
	for _, family := range []byte{syscall.AF_INET, syscall.AF_INET6} {
		if err := syscall.Sendto(socket, listenersRequest(family), 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
			return nil, fmt.Errorf("asking for listening sockets: %w", err)
		}
		if err := receiveListeners(socket, ports); err != nil {
			return nil, err
		}
	}
	return ports, nil
}

// listenersRequest returns a netlink message: its header, then a struct inet_diag_req_v2.
func listenersRequest(family byte) []byte {
	const size = syscall.NLMSG_HDRLEN + diagRequestSize
	message := make([]byte, size)
	order := binary.NativeEndian
	order.PutUint32(message, size)
	order.PutUint16(message[4:], sockDiagByFamily)
	order.PutUint16(message[6:], syscall.NLM_F_REQUEST|syscall.NLM_F_DUMP)
	request := message[syscall.NLMSG_HDRLEN:]
	request[0], request[1] = family, syscall.IPPROTO_TCP
	order.PutUint32(request[4:], 1<<stateListen)
	return message
}

// receiveListeners adds the ports in the kernel's answer, which consists of several messages.
func receiveListeners(socket int, ports map[int]bool) error {
	buffer := make([]byte, 32<<10)
	for {
		n, _, err := syscall.Recvfrom(socket, buffer, 0)
		if err != nil {
			return fmt.Errorf("reading the listening sockets: %w", err)
		}
		messages, err := syscall.ParseNetlinkMessage(buffer[:n])
		if err != nil {
			return fmt.Errorf("reading the listening sockets: %w", err)
		}
		for _, message := range messages {
			switch {
			case message.Header.Type == syscall.NLMSG_DONE:
				return nil
			case message.Header.Type == syscall.NLMSG_ERROR:
				return fmt.Errorf("the kernel tells no listening sockets: %w", refusal(message.Data))
			case len(message.Data) >= diagPortOffset+2:
				ports[int(binary.BigEndian.Uint16(message.Data[diagPortOffset:]))] = true
			}
		}
	}
}

// refusal returns the error number at the start of a netlink error.
func refusal(data []byte) error {
	if len(data) < 4 {
		return syscall.EBADMSG
	}
	return syscall.Errno(-int32(binary.NativeEndian.Uint32(data)))
}
