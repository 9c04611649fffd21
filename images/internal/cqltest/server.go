// Package cqltest provides a server of CQL's native protocol for tests, with configurable answers over a real socket.
package cqltest

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	version = 0x84
	query   = 0x07
	blob    = 0x03
)

// Answer is a whole frame; nil closes the connection.
type Answer []byte

// Answers are the answers to statements that contain the key. The longest key counts.
type Answers map[string]Answer

// Server listens on the loopback interface until the test ends.
type Server struct {
	// Address is host:port.
	Address string
	// Queries receives the statements.
	Queries chan string
	// Consistency is that of the last statement.
	Consistency atomic.Uint32

	answers Answers
}

// Start starts a server with these answers.
func Start(t *testing.T, answers Answers) *Server {
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
			go server.serve(connection)
		}
	}()
	return server
}

func (s *Server) serve(connection net.Conn) {
	defer func() { _ = connection.Close() }()
	for {
		header := make([]byte, 9)
		if _, err := io.ReadFull(connection, header); err != nil {
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(header[5:]))
		if _, err := io.ReadFull(connection, body); err != nil {
			return
		}
		answer := Raw(version, 0x02, "") // READY
		if header[4] == query {
			length := binary.BigEndian.Uint32(body)
			statement := string(body[4 : 4+length])
			s.Queries <- statement
			s.Consistency.Store(uint32(binary.BigEndian.Uint16(body[4+length:])))
			answer = s.answerTo(statement)
		}
		if answer == nil {
			return
		}
		if _, err := connection.Write(answer); err != nil {
			return
		}
	}
}

func (s *Server) answerTo(statement string) Answer {
	var found Answer
	longest := -1
	for key, answer := range s.answers {
		if strings.Contains(statement, key) && len(key) > longest {
			found, longest = answer, len(key)
		}
	}
	return found
}

// Raw returns a frame with that version, operation and body.
func Raw(version, operation byte, body string) Answer {
	frame := []byte{version, 0, 0, 0, operation}
	return append(binary.BigEndian.AppendUint32(frame, uint32(len(body))), body...)
}

// Void returns a result without rows.
func Void() Answer { return Raw(version, 0x08, "\x00\x00\x00\x01") }

// Failure returns an error.
func Failure(code uint32, message string) Answer {
	return Raw(version, 0x00, string(appendText(binary.BigEndian.AppendUint32(nil, code), message)))
}

// Rows returns a result with these columns, which are blobs, and rows; an empty value is null.
func Rows(columns []string, rows ...[]string) Answer {
	const kindRows, sameTable = 2, 1
	body := binary.BigEndian.AppendUint32(nil, kindRows)
	body = binary.BigEndian.AppendUint32(body, sameTable)
	body = binary.BigEndian.AppendUint32(body, uint32(len(columns)))
	body = appendText(appendText(body, "keyspace"), "table")
	for _, column := range columns {
		body = binary.BigEndian.AppendUint16(appendText(body, column), blob)
	}
	body = binary.BigEndian.AppendUint32(body, uint32(len(rows)))
	for _, row := range rows {
		for _, value := range row {
			length := int32(len(value))
			if value == "" {
				length = -1
			}
			body = append(binary.BigEndian.AppendUint32(body, uint32(length)), value...)
		}
	}
	return Raw(version, 0x08, string(body))
}

func appendText(to []byte, text string) []byte {
	return append(binary.BigEndian.AppendUint16(to, uint16(len(text))), text...)
}
