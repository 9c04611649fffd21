package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"ringside.dev/ringside/images/internal/thriftclient"
)

// requestTimeout bounds one question to a server; the kubelet's own timeout (in the chart) is longer.
const requestTimeout = 2 * time.Second

// health answers the kubelet's probes. It costs at most one short request per probe once all servers have answered, no process
// and no JVM, so that probing does not show in a measurement.
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

// answer turns a check into a probe's answer. The kubelet tells nobody what a probe's answer said, so a changed reason also
// goes into the pod's log.
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

// live says whether the node and every server listen. It asks the kernel and opens no connection: `simple` would serve a
// probe's connection before the load's.
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

// ready says whether this node serves: its servers answer Thrift requests. What the other nodes do is not its affair, or one
// lost node would take all of them from their Services. Only a new ring is waited for: a node is not ready before it has seen
// all nodes, with one schema, for the first time.
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
	return thriftclient.With(ctx, address, requestTimeout, func(client *thriftclient.Client) error {
		if _, err := client.ClusterName(ctx); err != nil || whole > 0 {
			return err
		}
		versions, err := client.SchemaVersions(ctx)
		if err != nil {
			return err
		}
		if err := thriftclient.Whole(versions, h.nodes); err != nil {
			return err
		}
		return h.ring.write(h.nodes)
	})
}
