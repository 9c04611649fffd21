// Package link is the talk between the two containers of a load pod: meter, which has the pod's access to Kubernetes, and
// the runner, which starts the load tool and has none. They meet at a socket in a folder that both see. JSON, one message a line.
package link

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

// Order is what meter asks for: one Start, Begin where the tool was started ahead of its load, and at any time Stop.
type Order struct {
	Start *Start `json:"start,omitempty"`
	// Begin: the tool, which has waited since its start, drives load from now on; what it used before is no part of that.
	Begin bool `json:"begin,omitempty"`
	Stop  bool `json:"stop,omitempty"`
}

// Start the load tool now.
type Start struct {
	// Environment is the pod's share of the measurement, name=value, laid over the runner's own.
	Environment []string `json:"environment"`
}

// Report is what the runner tells: of itself first, usage while the tool runs, and its end once.
type Report struct {
	Hello *Hello `json:"hello,omitempty"`
	Usage *Usage `json:"usage,omitempty"`
	Ended *Ended `json:"ended,omitempty"`
}

// Hello describes what the load tool can do.
type Hello struct {
	// Waits for its start: it connects, says so, and begins when it is told to.
	Waits bool `json:"waits,omitempty"`
}

// Usage of CPU by the container of the load tool.
type Usage struct {
	// UsedRatio of the CPU that the container could get, 0 to about 1: since the last report, or in Ended over the whole load.
	UsedRatio float64 `json:"usedRatio"`
	// Throttled by the CPU limit since the load began.
	Throttled time.Duration `json:"throttled"`
	// WaitedRatio of the time since the load began in which the tool's threads wanted a core, they waited for one. Nothing where it
	// cannot be known.
	WaitedRatio *float64 `json:"waitedRatio,omitempty"`
}

// Ended says how the load tool ended.
type Ended struct {
	// Code is the exit status, or 128 and the signal's number.
	Code int `json:"code"`
	// How it ended, in words.
	How string `json:"how"`
	// LastLines it wrote.
	LastLines string `json:"lastLines,omitempty"`
	// Terminated reports that the runner was asked to end, and not by meter.
	Terminated bool `json:"terminated,omitempty"`
	// Usage over the whole load; nil where it cannot be known.
	Usage *Usage `json:"usage,omitempty"`
}

// Conn is one end.
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

// Received returns the other end's messages; it is closed once that end is gone.
func (c *Conn[In, Out]) Received() <-chan In { return c.received }

// Send a message. An error means that the other end is gone, which Received tells, too.
func (c *Conn[In, Out]) Send(message Out) error {
	if err := json.NewEncoder(c.socket).Encode(message); err != nil {
		return fmt.Errorf("send to the other container: %w", err)
	}
	return nil
}

// Close this end. What was sent arrives nevertheless.
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

// Await listens at path for the runner of this pod, until it comes or ctx ends. Nobody can connect after it: the load tool, which
// starts later, finds no socket.
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

// dialPause between tries to reach a meter that does not listen yet.
const dialPause = 50 * time.Millisecond

// Dial reaches meter at path, trying until it listens or ctx ends.
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
