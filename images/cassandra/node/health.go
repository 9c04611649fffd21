package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"ringside.dev/ringside/images/internal/nodeclient"
	"ringside.dev/ringside/images/internal/serverclient"
)

// requestTimeout limits one request to a server; the kubelet's own timeout (in the chart) is longer.
const requestTimeout = 2 * time.Second

// health answers the kubelet's probes. After all servers have answered, a probe costs at most one short request, and no process or JVM, so
// that probes do not affect a measurement.
type health struct {
	settings
	listening func() (map[int]bool, error)
	ring      ringRecord
	turn      turns
}

func newHealth(s settings, ring ringRecord) *health {
	return &health{settings: s, listening: listeningPorts, ring: ring}
}

func (h *health) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /live", answer("live", func(context.Context) error { return h.live() }))
	mux.HandleFunc("GET /ready", answer("ready", h.ready))
	return mux
}

// answer returns the handler of a probe. The kubelet does not log the text of a probe's answer, so the handler prints a changed state to
// the pod's log.
func answer(name string, check func(context.Context) error) http.HandlerFunc {
	var last atomic.Value
	last.Store("")
	return func(w http.ResponseWriter, r *http.Request) {
		err := check(r.Context())
		state := name
		if err != nil {
			state = fmt.Sprintf("not %s: %v", name, err)
			http.Error(w, state, http.StatusServiceUnavailable)
		} else {
			_, _ = fmt.Fprintln(w, state)
		}
		if last.Swap(state) != state {
			fmt.Println("ringside-node:", state)
		}
	}
}

// live returns an error unless the node and every server listen. It asks the kernel and opens no connection: the server `simple` would
// serve a probe's connection before the load's.
func (h *health) live() error {
	ports, err := h.listening()
	if err != nil {
		return err
	}
	if !ports[h.storagePort] {
		return fmt.Errorf("the node does not listen on port %d", h.storagePort)
	}
	for _, server := range h.servers {
		if !ports[server.port] {
			return fmt.Errorf("the server %s does not listen on port %d", server.kind, server.port)
		}
	}
	return nil
}

// ready returns an error unless the servers of this node answer requests. It does not depend on the other nodes, because one lost
// node would then remove all nodes from their Services. The exception is a new ring: a node is not ready before it has found all nodes,
// with one schema, for the first time.
func (h *health) ready(ctx context.Context) error {
	if err := h.live(); err != nil {
		return err
	}
	for _, server := range h.turn.due(h.servers) {
		err := h.ask(ctx, server)
		h.turn.note(server, err == nil)
		if err != nil {
			return fmt.Errorf("the server %s: %w", server.kind, err)
		}
	}
	return nil
}

func (h *health) ask(ctx context.Context, server server) error {
	whole, err := h.ring.nodes()
	if err != nil {
		return err
	}
	address := net.JoinHostPort(h.podIP, strconv.Itoa(server.port))
	return serverclient.Of(server.kind).With(ctx, address, requestTimeout, func(client nodeclient.Client) error {
		if _, err := client.ClusterName(ctx); err != nil || whole > 0 {
			return err
		}
		versions, err := client.SchemaVersions(ctx)
		if err != nil {
			return err
		}
		if err := nodeclient.Whole(versions, h.nodes); err != nil {
			return err
		}
		return h.ring.write(h.nodes)
	})
}
