package forward

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"

	"golang.org/x/net/dns/dnsmessage"

	"ringside.dev/ringside/cluster/internal/topology"
)

// resolve queries the cluster's DNS on this thread. The standard resolver would query from another thread, which is not
// in the cluster's network namespace.
func resolve(ctx context.Context, host string) (string, error) {
	name, err := dnsmessage.NewName(strings.TrimSuffix(host, ".") + ".")
	if err != nil {
		return "", fmt.Errorf("resolve %s: %w", host, err)
	}
	query := dnsmessage.Message{
		Header: dnsmessage.Header{ID: uint16(rand.Uint32()), RecursionDesired: true},
		Questions: []dnsmessage.Question{{
			Name: name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET,
		}},
	}
	answer, err := ask(ctx, query)
	if err != nil {
		return "", fmt.Errorf("resolve %s: %w", host, err)
	}
	for _, record := range answer.Answers {
		if a, ok := record.Body.(*dnsmessage.AResource); ok {
			return net.IP(a.A[:]).String(), nil
		}
	}
	return "", fmt.Errorf("resolve %s: no such name in the cluster", host)
}

func ask(ctx context.Context, query dnsmessage.Message) (dnsmessage.Message, error) {
	packed, err := query.Pack()
	if err != nil {
		return dnsmessage.Message{}, err
	}
	connection, err := (&net.Dialer{}).DialContext(ctx, "udp4", net.JoinHostPort(topology.DNSServiceIP, "53"))
	if err != nil {
		return dnsmessage.Message{}, err
	}
	defer connection.Close()
	if deadline, ok := ctx.Deadline(); ok {
		if err := connection.SetDeadline(deadline); err != nil {
			return dnsmessage.Message{}, err
		}
	}
	if _, err := connection.Write(packed); err != nil {
		return dnsmessage.Message{}, err
	}
	buffer := make([]byte, 1500)
	n, err := connection.Read(buffer)
	if err != nil {
		return dnsmessage.Message{}, err
	}
	var answer dnsmessage.Message
	if err := answer.Unpack(buffer[:n]); err != nil {
		return dnsmessage.Message{}, err
	}
	if answer.ID != query.ID {
		return dnsmessage.Message{}, errors.New("answer to another question")
	}
	return answer, nil
}
