package meter

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metricsServer serves /metrics and records the last scrape.
type metricsServer struct {
	http     *http.Server
	address  net.Addr
	registry *prometheus.Registry

	// began is the start of serving.
	began time.Time

	mu sync.Mutex
	// lastBegun is the start of the last finished scrape; zero before the first.
	lastBegun time.Time
	scraped   chan struct{} // closed and replaced at the end of every scrape
}

// serveMetrics listens on the address and serves until close.
func serveMetrics(address string) (*metricsServer, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("serve metrics: %w", err)
	}
	s := &metricsServer{address: listener.Addr(), registry: prometheus.NewRegistry(), began: time.Now(), scraped: make(chan struct{})}
	s.registry.MustRegister(collectors.NewProcessCollector(collectors.ProcessCollectorOpts{Namespace: "ringside_meter"}))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.counted(promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{})))
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := s.http.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			logf("metrics are no longer served: %v", err)
		}
	}()
	return s, nil
}

func (s *metricsServer) counted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		h.ServeHTTP(w, r)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.lastBegun = begun
		close(s.scraped)
		s.scraped = make(chan struct{})
	})
}

// wasScraped reports whether any scrape has finished.
func (s *metricsServer) wasScraped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.lastBegun.IsZero()
}

// awaitScrape waits until a scrape that began after since has finished, at most for longest. If there was no scrape yet, this time counts
// from the start of serving: a pod that was never scraped for so long will not be. It returns false only if ctx ended.
func (s *metricsServer) awaitScrape(ctx context.Context, since time.Time, longest time.Duration) bool {
	patience := longest
	if !s.wasScraped() {
		patience -= time.Since(s.began)
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		s.mu.Lock()
		last, scraped := s.lastBegun, s.scraped
		s.mu.Unlock()
		if last.After(since) || longest <= 0 || patience <= 0 {
			return true
		}
		select {
		case <-scraped:
		case <-timer.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

func (s *metricsServer) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = s.http.Shutdown(ctx)
}
