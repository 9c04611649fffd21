package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"ringside.dev/ringside/images/internal/thriftclient"
)

// requestTimeout bounds one question to a server; the kubelet's own timeout (in the chart) is longer.
const requestTimeout = 2 * time.Second

// health answers the kubelet's probes. It costs a few short requests per probe, no process and no JVM, so that probing does
// not show in a measurement.
type health struct {
	settings
	listening func() (map[int]bool, error)
	// answered holds the single-connection servers that have answered once.
	answered sync.Map
}

func newHealth(s settings) *health { return &health{settings: s, listening: listeningPorts} }

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

// live says whether the node and every server listen. It reads the kernel's table and opens no connection: `simple` would
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

// ready says whether every server answers a Thrift request and the ring is complete. A single-connection server is asked until
// it has answered once; after that only its port is looked at, or a load's connection would make the node look dead.
func (h *health) ready(ctx context.Context) error {
	if err := h.live(); err != nil {
		return err
	}
	ringChecked := false
	for _, server := range h.servers {
		if _, done := h.answered.Load(server.kind); done {
			continue
		}
		address := net.JoinHostPort(h.podIP, strconv.Itoa(server.port))
		err := thriftclient.With(ctx, address, requestTimeout, func(client *thriftclient.Client) error {
			if _, err := client.ClusterName(ctx); err != nil || ringChecked {
				return err
			}
			ringChecked = true
			versions, err := client.SchemaVersions(ctx)
			if err != nil {
				return err
			}
			return thriftclient.Whole(versions, h.nodes)
		})
		if err != nil {
			return fmt.Errorf("the server %s: %w", server.kind, err)
		}
		if server.single {
			h.answered.Store(server.kind, true)
		}
	}
	return nil
}
