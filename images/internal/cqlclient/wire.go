package cqlclient

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"ringside.dev/ringside/images/internal/nodeclient"
)

const (
	requestVersion  = 0x04
	responseVersion = 0x84
)

// Operations of frames.
const (
	failure byte = 0x00
	startup byte = 0x01
	ready   byte = 0x02
	query   byte = 0x07
	result  byte = 0x08
)

const (
	headerLength = 9
	// maxBody bounds the memory for an answer: rows of system tables are small.
	maxBody = 1 << 20
	// kindRows is the kind of a result with rows.
	kindRows = 2
	// Flags of the metadata of rows.
	sameTable = 0x1
	morePages = 0x2
	// lastSimple is the highest identifier of a type without parameters.
	lastSimple = 0x15
)

// levels are the values of the protocol's consistency.
var levels = map[nodeclient.Consistency]uint16{nodeclient.One: 1, nodeclient.Quorum: 4}

var errShort = errors.New("the answer is too short")

func frame(operation byte, body []byte) []byte {
	header := []byte{requestVersion, 0, 0, 0, operation}
	return append(binary.BigEndian.AppendUint32(header, uint32(len(body))), body...)
}

// readAnswer returns the body of a frame, without its operation if that is no failure.
func readAnswer(from io.Reader) (*decoder, error) {
	header := make([]byte, headerLength)
	if _, err := io.ReadFull(from, header); err != nil {
		return nil, fmt.Errorf("no answer: %w", err)
	}
	if header[0] != responseVersion {
		return nil, fmt.Errorf("the answer begins with %#x: this server does not speak version 4 of CQL's native protocol", header[0])
	}
	length := binary.BigEndian.Uint32(header[5:])
	if length > maxBody {
		return nil, fmt.Errorf("the answer has %d bytes, more than %d", length, maxBody)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(from, body); err != nil {
		return nil, fmt.Errorf("the answer ends early: %w", err)
	}
	in := &decoder{rest: body}
	switch operation := header[4]; operation {
	case ready, result:
		return in, nil
	case failure:
		code, message := in.integer(), in.text()
		return nil, errors.Join(in.err, fmt.Errorf("error %#04x: %s", code, message))
	default:
		return nil, fmt.Errorf("the answer has the operation %#x, which is not expected", operation)
	}
}

// readRows reads a result; one without rows is no error. Columns have types without parameters.
func readRows(in *decoder) ([]map[string][]byte, error) {
	if in.integer() != kindRows {
		return nil, in.err
	}
	flags, columns := in.integer(), in.integer()
	if flags&morePages != 0 {
		return nil, errors.New("the answer has several pages")
	}
	if flags&sameTable != 0 {
		_, _ = in.text(), in.text()
	}
	var names []string
	for i := 0; i < columns && in.err == nil; i++ {
		if flags&sameTable == 0 {
			_, _ = in.text(), in.text()
		}
		names = append(names, in.text())
		if kind := in.short(); kind == 0 || kind > lastSimple {
			return nil, fmt.Errorf("column %s has the type %#x, which is not supported", names[i], kind)
		}
	}
	var rows []map[string][]byte
	count := in.integer()
	for i := 0; i < count && in.err == nil; i++ {
		row := make(map[string][]byte, len(names))
		for _, name := range names {
			row[name] = in.value()
		}
		rows = append(rows, row)
	}
	return rows, in.err
}

// encoder writes the body of a request.
type encoder struct{ bytes []byte }

func (e *encoder) byte(value byte) *encoder {
	e.bytes = append(e.bytes, value)
	return e
}

func (e *encoder) short(value uint16) *encoder {
	e.bytes = binary.BigEndian.AppendUint16(e.bytes, value)
	return e
}

func (e *encoder) text(value string) *encoder {
	e.short(uint16(len(value)))
	e.bytes = append(e.bytes, value...)
	return e
}

func (e *encoder) longText(value string) *encoder {
	e.bytes = binary.BigEndian.AppendUint32(e.bytes, uint32(len(value)))
	e.bytes = append(e.bytes, value...)
	return e
}

// decoder reads the body of an answer and keeps its first error.
type decoder struct {
	rest []byte
	err  error
}

func (d *decoder) take(length int) []byte {
	if length < 0 || length > len(d.rest) {
		d.rest, d.err = nil, errShort
		return nil
	}
	taken := d.rest[:length]
	d.rest = d.rest[length:]
	return taken
}

func (d *decoder) short() int {
	if bytes := d.take(2); bytes != nil {
		return int(binary.BigEndian.Uint16(bytes))
	}
	return 0
}

func (d *decoder) integer() int {
	if bytes := d.take(4); bytes != nil {
		return int(int32(binary.BigEndian.Uint32(bytes)))
	}
	return 0
}

func (d *decoder) text() string { return string(d.take(d.short())) }

// value returns the bytes of a value; nil for null.
func (d *decoder) value() []byte {
	length := d.integer()
	if length < 0 {
		return nil
	}
	return d.take(length)
}
