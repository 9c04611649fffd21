// Package forward forwards connections from the host's 127.0.0.1 into the cluster's network namespaces, which the host
// cannot reach otherwise.
package forward

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"runtime"
	"sync"
	"time"

	"github.com/vishvananda/netns"

	"ringside.dev/ringside/cluster/internal/machine"
	"ringside.dev/ringside/cluster/internal/topology"
)

const dialTimeout = 5 * time.Second

// Forward is the forward of one port of the host.
type Forward struct {
	Name   string `json:"name"`
	Listen string `json:"listen"` // 127.0.0.1:port
	// Target is host:port as seen from Machine. The host may be a name in the cluster's DNS.
	Target  string `json:"target"`
	Machine string `json:"machine"` // the machine in whose network namespace it dials
}

// APIName is the name of the forward to the API server.
const APIName = "api"

// Service returns a forward to a service of the cluster. It dials from a node, because only nodes can route to
// addresses of services.
func Service(name string, port int, target string) Forward {
	return Forward{
		Name:    name,
		Listen:  fmt.Sprintf("127.0.0.1:%d", port),
		Target:  target,
		Machine: topology.Nodes(1)[0].Name,
	}
}

// API returns the forward to the API server.
func API(port int) Forward {
	return Forward{
		Name:    APIName,
		Listen:  fmt.Sprintf("127.0.0.1:%d", port),
		Target:  fmt.Sprintf("%s:%d", topology.ControlPlaneIP, topology.APIPort),
		Machine: topology.ControlPlane,
	}
}

// registryForward is the name of the forward to the cluster's registry.
const registryForward = "registry"

// RegistryName returns the name of the cluster's registry, on the host and on the nodes, with a forward at this port.
func RegistryName(port int) string { return fmt.Sprintf("localhost:%d", port) }

// Registry returns the forward to the cluster's registry.
func Registry(port int) Forward {
	return Forward{
		Name:    registryForward,
		Listen:  fmt.Sprintf("127.0.0.1:%d", port),
		Target:  fmt.Sprintf("%s:%d", topology.ControlPlaneIP, topology.RegistryPort),
		Machine: topology.ControlPlane,
	}
}

// Reserved reports whether the name is not available to users.
func Reserved(name string) bool { return name == APIName || name == registryForward }

// Serve forwards connections until the context ends. records is the directory of the process records of machines. They
// are read for each connection, so that a restarted machine is found.
func Serve(ctx context.Context, records string, forward Forward) error {
	listener, err := net.Listen("tcp", forward.Listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	return serveOn(ctx, listener, func(ctx context.Context) (net.Conn, error) {
		process, err := machine.Recorded(records, forward.Machine)
		if err != nil {
			return nil, err
		}
		if !process.Alive() {
			return nil, fmt.Errorf("%s is down", forward.Machine)
		}
		return dialFrom(ctx, process.NetNS(), forward.Target)
	})
}

func serveOn(ctx context.Context, listener net.Listener, dial func(context.Context) (net.Conn, error)) error {
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	for {
		connection, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			// Out of file descriptors, or the peer has disconnected: neither must end the forward.
			log.Printf("accept: %v", err)
			time.Sleep(50 * time.Millisecond)
			continue
		}
		go func() {
			if err := carry(ctx, connection.(*net.TCPConn), dial); err != nil {
				log.Print(err)
			}
		}()
	}
}

func carry(ctx context.Context, near *net.TCPConn, dial func(context.Context) (net.Conn, error)) error {
	defer near.Close()
	dialing, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	connection, err := dial(dialing)
	if err != nil {
		return fmt.Errorf("dial: %w", err)
	}
	far := connection.(*net.TCPConn)
	defer far.Close()
	var both sync.WaitGroup
	both.Go(func() { pipe(far, near) })
	both.Go(func() { pipe(near, far) })
	both.Wait()
	return nil
}

// pipe copies one direction and forwards its end. The other direction may continue.
func pipe(to, from *net.TCPConn) {
	if _, err := io.Copy(to, from); err != nil {
		_ = from.CloseRead()
	}
	_ = to.CloseWrite()
}

// dialFrom connects from inside a network namespace. A socket stays in the namespace where it was created, so only its
// creation needs a thread there. That thread ends afterwards.
func dialFrom(ctx context.Context, namespace, target string) (net.Conn, error) {
	type result struct {
		connection net.Conn
		err        error
	}
	results := make(chan result, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
		connection, err := dialHere(ctx, namespace, target)
		results <- result{connection, err}
	}()
	r := <-results
	return r.connection, r.err
}

func dialHere(ctx context.Context, namespace, target string) (net.Conn, error) {
	ns, err := netns.GetFromPath(namespace)
	if err != nil {
		return nil, fmt.Errorf("open network namespace: %w", err)
	}
	defer ns.Close()
	if err := netns.Set(ns); err != nil {
		return nil, fmt.Errorf("enter network namespace: %w", err)
	}
	host, port, err := net.SplitHostPort(target)
	if err != nil {
		return nil, fmt.Errorf("parse target: %w", err)
	}
	if net.ParseIP(host) == nil {
		if host, err = resolve(ctx, host); err != nil {
			return nil, err
		}
	}
	// An address instead of a name makes the dialer create its socket on this thread.
	return (&net.Dialer{}).DialContext(ctx, "tcp4", net.JoinHostPort(host, port))
}
