package forward

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// listen returns a listener on a free port of the host.
func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}

func dialer(target net.Listener) func(context.Context) (net.Conn, error) {
	return func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", target.Addr().String())
	}
}

func TestCarriesBothDirectionsAndTheirEnds(t *testing.T) {
	server, near := listen(t), listen(t)
	go func() {
		connection, err := server.Accept()
		if err != nil {
			return
		}
		defer connection.Close()
		// Answers only when the client has closed its direction: a half-closed connection must stay usable.
		text, _ := io.ReadAll(connection)
		_, _ = connection.Write(append([]byte("got "), text...))
	}()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- serveOn(ctx, near, dialer(server)) }()

	client, err := net.Dial("tcp", near.Addr().String())
	require.NoError(t, err)
	defer client.Close()
	_, err = client.Write([]byte("hello"))
	require.NoError(t, err)
	require.NoError(t, client.(*net.TCPConn).CloseWrite())
	answer, err := io.ReadAll(client)
	require.NoError(t, err)
	assert.Equal(t, "got hello", string(answer))

	cancel()
	assert.NoError(t, <-done)
	_, err = net.Dial("tcp", near.Addr().String())
	assert.Error(t, err, "the port is free again")
}

func TestGoesOnWhenTheClusterDoesNotAnswer(t *testing.T) {
	near := listen(t)
	go func() {
		_ = serveOn(t.Context(), near, func(context.Context) (net.Conn, error) { return nil, errors.New("control-plane is down") })
	}()
	for range 3 {
		client, err := net.Dial("tcp", near.Addr().String())
		require.NoError(t, err)
		_, err = client.Read(make([]byte, 1))
		assert.Error(t, err, "closed at once")
		_ = client.Close()
	}
}
