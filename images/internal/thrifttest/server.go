// Package thrifttest provides a Thrift server for tests, with configurable answers over a real socket.
package thrifttest

import (
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/stretchr/testify/require"
)

// Answer writes the fields of a call's result.
type Answer func(ctx context.Context, out thrift.TProtocol) error

// Server listens on the loopback interface until the test ends.
type Server struct {
	// Address is host:port.
	Address string
	// Connections is the number of connections accepted so far.
	Connections atomic.Int64
	// Queries receives the statements of the calls: the first argument, if it is a string.
	Queries chan string

	answers func(method string) Answer
}

// Start starts a server that answers each method with the result of answers; nil closes the connection.
func Start(t *testing.T, answers func(method string) Answer) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := &Server{Address: listener.Addr().String(), Queries: make(chan string, 100), answers: answers}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			server.Connections.Add(1)
			go server.serve(t.Context(), connection)
		}
	}()
	return server
}

func (s *Server) serve(ctx context.Context, connection net.Conn) {
	defer func() { _ = connection.Close() }()
	transport := thrift.NewTFramedTransportConf(thrift.NewTSocketFromConnConf(connection, nil), nil)
	protocol := thrift.NewTBinaryProtocolConf(transport, nil)
	for {
		method, _, sequence, err := protocol.ReadMessageBegin(ctx)
		if err != nil || s.readArguments(ctx, protocol) != nil {
			return
		}
		answer := s.answers(method)
		if answer == nil {
			return
		}
		for _, step := range []func() error{
			func() error { return protocol.WriteMessageBegin(ctx, method, thrift.REPLY, sequence) },
			func() error { return answer(ctx, protocol) },
			func() error { return protocol.WriteFieldStop(ctx) },
			func() error { return protocol.WriteMessageEnd(ctx) },
			func() error { return protocol.Flush(ctx) },
		} {
			if step() != nil {
				return
			}
		}
	}
}

func (s *Server) readArguments(ctx context.Context, in thrift.TProtocol) error {
	for {
		_, kind, id, err := in.ReadFieldBegin(ctx)
		if err != nil {
			return err
		}
		switch {
		case kind == thrift.STOP:
			return in.ReadMessageEnd(ctx)
		case id == 1 && kind == thrift.STRING:
			query, err := in.ReadString(ctx)
			if err != nil {
				return err
			}
			s.Queries <- query
		default:
			if err := in.Skip(ctx, kind); err != nil {
				return err
			}
		}
	}
}

// Text returns an answer with a string.
func Text(value string) Answer {
	return func(ctx context.Context, out thrift.TProtocol) error {
		if err := out.WriteFieldBegin(ctx, "success", thrift.STRING, 0); err != nil {
			return err
		}
		return out.WriteString(ctx, value)
	}
}

// Lists returns an answer with a map of lists of strings.
func Lists(lists map[string][]string) Answer {
	return func(ctx context.Context, out thrift.TProtocol) error {
		if err := out.WriteFieldBegin(ctx, "success", thrift.MAP, 0); err != nil {
			return err
		}
		if err := out.WriteMapBegin(ctx, thrift.STRING, thrift.LIST, len(lists)); err != nil {
			return err
		}
		for key, values := range lists {
			if err := out.WriteString(ctx, key); err != nil {
				return err
			}
			if err := out.WriteListBegin(ctx, thrift.STRING, len(values)); err != nil {
				return err
			}
			for _, value := range values {
				if err := out.WriteString(ctx, value); err != nil {
					return err
				}
			}
		}
		return out.WriteMapEnd(ctx)
	}
}

// Row returns an answer with a CqlResult of one row with one column; with an empty name, without rows.
func Row(name, value string) Answer {
	return func(ctx context.Context, out thrift.TProtocol) error {
		rows := 1
		if name == "" {
			rows = 0
		}
		steps := []func() error{
			func() error { return out.WriteFieldBegin(ctx, "success", thrift.STRUCT, 0) },
			func() error { return out.WriteFieldBegin(ctx, "type", thrift.I32, 1) },
			func() error { return out.WriteI32(ctx, 1) },
			func() error { return out.WriteFieldBegin(ctx, "rows", thrift.LIST, 2) },
			func() error { return out.WriteListBegin(ctx, thrift.STRUCT, rows) },
		}
		if rows > 0 {
			steps = append(steps,
				func() error { return out.WriteFieldBegin(ctx, "key", thrift.STRING, 1) },
				func() error { return out.WriteString(ctx, "key") },
				func() error { return out.WriteFieldBegin(ctx, "columns", thrift.LIST, 2) },
				func() error { return out.WriteListBegin(ctx, thrift.STRUCT, 1) },
				func() error { return out.WriteFieldBegin(ctx, "name", thrift.STRING, 1) },
				func() error { return out.WriteString(ctx, name) },
				func() error { return out.WriteFieldBegin(ctx, "value", thrift.STRING, 2) },
				func() error { return out.WriteString(ctx, value) },
				func() error { return out.WriteFieldStop(ctx) }, // of the column
				func() error { return out.WriteFieldStop(ctx) }, // of the row
			)
		}
		steps = append(steps, func() error { return out.WriteFieldStop(ctx) }) // of the result
		for _, step := range steps {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	}
}

// Exception returns an answer with a declared exception.
func Exception(field int16, why string) Answer {
	return func(ctx context.Context, out thrift.TProtocol) error {
		for _, step := range []func() error{
			func() error { return out.WriteFieldBegin(ctx, "exception", thrift.STRUCT, field) },
			func() error { return out.WriteFieldBegin(ctx, "why", thrift.STRING, 1) },
			func() error { return out.WriteString(ctx, why) },
			func() error { return out.WriteFieldStop(ctx) },
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	}
}
