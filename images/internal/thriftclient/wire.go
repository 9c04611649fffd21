package thriftclient

import (
	"context"
	"fmt"

	"github.com/apache/thrift/lib/go/thrift"

	"ringside.dev/ringside/images/internal/nodeclient"
)

// levels are the values of Cassandra's ConsistencyLevel.
var levels = map[nodeclient.Consistency]int32{nodeclient.One: 1, nodeclient.Quorum: 2}

// noCompression is Cassandra's Compression.NONE: the query is plain text.
const noCompression = 2

// Error is an exception that Cassandra returned.
type Error struct {
	// Kind is the name of the exception, for example InvalidRequest.
	Kind string
	// Why is the exception's message, if it has one.
	Why string
}

func (f *Error) Error() string {
	if f.Why == "" {
		return f.Kind
	}
	return f.Kind + ": " + f.Why
}

// failureKinds maps field ids to the declared exceptions. They are the same for all methods used here.
var failureKinds = map[int16]string{1: "InvalidRequest", 2: "Unavailable", 3: "TimedOut", 4: "SchemaDisagreement"}

type (
	writer func(context.Context, thrift.TProtocol) error
	reader func(context.Context, thrift.TProtocol) error
)

// arguments writes the struct of a call's arguments; nil for a call without arguments.
type arguments writer

func (a arguments) Write(ctx context.Context, out thrift.TProtocol) error {
	if err := out.WriteStructBegin(ctx, "args"); err != nil {
		return err
	}
	if a != nil {
		if err := a(ctx, out); err != nil {
			return err
		}
	}
	if err := out.WriteFieldStop(ctx); err != nil {
		return err
	}
	return out.WriteStructEnd(ctx)
}

func (a arguments) Read(context.Context, thrift.TProtocol) error {
	return fmt.Errorf("arguments are only written")
}

// reply reads the struct of a call's result: field 0 is the result, any other a declared exception.
type reply struct {
	success reader
	failure error
}

func (r *reply) Write(context.Context, thrift.TProtocol) error {
	return fmt.Errorf("a reply is only read")
}

func (r *reply) Read(ctx context.Context, in thrift.TProtocol) error {
	return readStruct(ctx, in, func(id int16, _ thrift.TType) (bool, error) {
		if id == 0 {
			return true, r.success(ctx, in)
		}
		failure := &Error{Kind: failureKinds[id]}
		r.failure = failure
		return true, readStruct(ctx, in, func(field int16, kind thrift.TType) (bool, error) {
			if field != 1 || kind != thrift.STRING {
				return false, nil
			}
			var err error
			failure.Why, err = in.ReadString(ctx)
			return true, err
		})
	})
}

// readStruct calls read for every field, and skips the fields that read does not accept.
func readStruct(ctx context.Context, in thrift.TProtocol, read func(id int16, kind thrift.TType) (bool, error)) error {
	if _, err := in.ReadStructBegin(ctx); err != nil {
		return err
	}
	for {
		_, kind, id, err := in.ReadFieldBegin(ctx)
		if err != nil {
			return err
		}
		if kind == thrift.STOP {
			return in.ReadStructEnd(ctx)
		}
		taken, err := read(id, kind)
		if err == nil && !taken {
			err = in.Skip(ctx, kind)
		}
		if err == nil {
			err = in.ReadFieldEnd(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// readList calls read for each element.
func readList(ctx context.Context, in thrift.TProtocol, read func() error) error {
	_, size, err := in.ReadListBegin(ctx)
	for i := 0; err == nil && i < size; i++ {
		err = read()
	}
	if err != nil {
		return err
	}
	return in.ReadListEnd(ctx)
}

func readStringLists(ctx context.Context, in thrift.TProtocol) (map[string][]string, error) {
	_, _, size, err := in.ReadMapBegin(ctx)
	if err != nil {
		return nil, err
	}
	lists := make(map[string][]string)
	for range size {
		key, err := in.ReadString(ctx)
		if err != nil {
			return nil, err
		}
		err = readList(ctx, in, func() error {
			value, err := in.ReadString(ctx)
			lists[key] = append(lists[key], value)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return lists, in.ReadMapEnd(ctx)
}

// readRows reads a CqlResult. Its field 2 is the list of rows; field 2 of a row is the list of columns.
func readRows(ctx context.Context, in thrift.TProtocol) ([]map[string][]byte, error) {
	var rows []map[string][]byte
	err := readStruct(ctx, in, func(id int16, kind thrift.TType) (bool, error) {
		if id != 2 || kind != thrift.LIST {
			return false, nil
		}
		return true, readList(ctx, in, func() error {
			row := make(map[string][]byte)
			rows = append(rows, row)
			return readStruct(ctx, in, func(id int16, kind thrift.TType) (bool, error) {
				if id != 2 || kind != thrift.LIST {
					return false, nil
				}
				return true, readList(ctx, in, func() error { return readColumn(ctx, in, row) })
			})
		})
	})
	return rows, err
}

// readColumn reads a Column: name and value.
func readColumn(ctx context.Context, in thrift.TProtocol, row map[string][]byte) error {
	var name string
	var value []byte
	err := readStruct(ctx, in, func(id int16, kind thrift.TType) (taken bool, err error) {
		switch {
		case id == 1 && kind == thrift.STRING:
			name, err = in.ReadString(ctx)
		case id == 2 && kind == thrift.STRING:
			value, err = in.ReadBinary(ctx)
		default:
			return false, nil
		}
		return true, err
	})
	row[name] = value
	return err
}

// writeQuery writes the arguments of execute_cql3_query: statement, compression, consistency.
func writeQuery(ctx context.Context, out thrift.TProtocol, statement string, level int32) error {
	fields := []struct {
		kind  thrift.TType
		write func() error
	}{
		{thrift.STRING, func() error { return out.WriteBinary(ctx, []byte(statement)) }},
		{thrift.I32, func() error { return out.WriteI32(ctx, noCompression) }},
		{thrift.I32, func() error { return out.WriteI32(ctx, level) }},
	}
	for i, field := range fields {
		if err := out.WriteFieldBegin(ctx, "", field.kind, int16(i+1)); err != nil {
			return err
		}
		if err := field.write(); err != nil {
			return err
		}
		if err := out.WriteFieldEnd(ctx); err != nil {
			return err
		}
	}
	return nil
}
