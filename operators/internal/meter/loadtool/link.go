package loadtool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

// The two containers of a load pod use a socket in a shared folder: meter, which has the pod's access to Kubernetes, and the runner, which
// starts the load tool and has none. They send JSON, one message a line.

// Order is a message of meter: one Start; Begin if the tool was started before its load; and Stop at any time.
type Order struct {
	Start *Start `json:"start,omitempty"`
	// Begin makes the tool, which has waited since its start, drive load. Its earlier CPU use does not count.
	Begin bool `json:"begin,omitempty"`
	Stop  bool `json:"stop,omitempty"`
}

// Start starts the load tool.
type Start struct {
	// Environment is the pod's share of the measurement, name=value, in addition to the runner's own.
	Environment []string `json:"environment"`
}

// Report is a message of the runner: first a Hello, then Usage while the tool runs, and Ended once.
type Report struct {
	Hello *Hello `json:"hello,omitempty"`
	Usage *Usage `json:"usage,omitempty"`
	Ended *Ended `json:"ended,omitempty"`
}

// Hello describes the capabilities of the load tool.
type Hello struct {
	// Waits reports that the tool can connect first, confirm that, and begin at a given time.
	Waits bool `json:"waits,omitempty"`
}

// Usage is the CPU use of the load tool's container.
type Usage struct {
	// UsedRatio is the share of the available CPU that the container used, 0 to about 1: since the last report or, in Ended, over the whole
	// load.
	UsedRatio float64 `json:"usedRatio"`
	// Throttled is the time for which the CPU limit throttled it since the load began.
	Throttled time.Duration `json:"throttled"`
	// WaitedRatio is the share of the time that the tool's runnable threads waited for a core since the load began; nil if unknown.
	WaitedRatio *float64 `json:"waitedRatio,omitempty"`
}

// Ended reports how the load tool ended.
type Ended struct {
	// Code is the exit status, or 128 and the signal's number.
	Code int `json:"code"`
	// How describes the end.
	How string `json:"how"`
	// LastLines are the last lines of its output.
	LastLines string `json:"lastLines,omitempty"`
	// LastError is the last line of its standard error.
	LastError string `json:"lastError,omitempty"`
	// Terminated reports that something other than meter asked the runner to end.
	Terminated bool `json:"terminated,omitempty"`
	// Usage over the whole load; nil if unknown.
	Usage *Usage `json:"usage,omitempty"`
}

// Conn is one end of the connection.
type Conn[In, Out any] struct {
	socket   net.Conn
	received chan In
	closed   chan struct{}
	once     sync.Once
}

func newConn[In, Out any](socket net.Conn) *Conn[In, Out] {
	c := &Conn[In, Out]{socket: socket, received: make(chan In), closed: make(chan struct{})}
	go c.receive()
	return c
}

// Received returns the channel of the other end's messages. It is closed when that end is gone.
func (c *Conn[In, Out]) Received() <-chan In { return c.received }

// Send sends a message. An error means that the other end is gone, which also closes Received.
func (c *Conn[In, Out]) Send(message Out) error {
	if err := json.NewEncoder(c.socket).Encode(message); err != nil {
		return fmt.Errorf("send to the other container: %w", err)
	}
	return nil
}

// Close closes this end. Sent messages still arrive.
func (c *Conn[In, Out]) Close() {
	c.once.Do(func() {
		close(c.closed)
		_ = c.socket.Close()
	})
}

func (c *Conn[In, Out]) receive() {
	defer close(c.received)
	decoder := json.NewDecoder(c.socket)
	for {
		var message In
		if decoder.Decode(&message) != nil {
			return
		}
		select {
		case c.received <- message:
		case <-c.closed:
			return
		}
	}
}

// Await listens at path until the pod's runner connects or ctx ends. No one can connect after that: the load tool starts later and finds no
// socket.
func Await(ctx context.Context, path string) (*Conn[Report, Order], error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("remove the old socket: %w", err)
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen for the load tool's container: %w", err)
	}
	defer listener.Close() //nolint:errcheck // removes the socket, which is in an emptyDir
	// The runner may have another user.
	if err := os.Chmod(path, 0o666); err != nil {
		return nil, fmt.Errorf("listen for the load tool's container: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	socket, err := listener.Accept()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("wait for the load tool's container: %w", context.Cause(ctx))
	}
	if err != nil {
		return nil, fmt.Errorf("wait for the load tool's container: %w", err)
	}
	return newConn[Report, Order](socket), nil
}

// dialPause is the pause between attempts to reach a meter that does not listen yet.
const dialPause = 50 * time.Millisecond

// Dial connects to meter at path. It retries until meter listens or ctx ends.
func Dial(ctx context.Context, path string) (*Conn[Order, Report], error) {
	for {
		var dialer net.Dialer
		socket, err := dialer.DialContext(ctx, "unix", path)
		if err == nil {
			return newConn[Order, Report](socket), nil
		}
		select {
		case <-time.After(dialPause):
		case <-ctx.Done():
			return nil, fmt.Errorf("reach meter: %w", err)
		}
	}
}
