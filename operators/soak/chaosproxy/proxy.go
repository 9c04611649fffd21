package chaosproxy

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Proxy of one API server.
type Proxy struct {
	reverse *httputil.ReverseProxy
	dice    *dice
	mu      sync.Mutex
	counts  map[string]int
}

// New proxy. transport leads to the server, under its own identity; the identities that requests name are passed on.
func New(server *url.URL, transport http.RoundTripper, seed int64) *Proxy {
	p := &Proxy{dice: newDice(seed), counts: map[string]int{}}
	p.reverse = &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(server) },
		Transport:     transport,
		FlushInterval: -1, // a watch tells at once
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) {
			panic(http.ErrAbortHandler) // a server that is away answers nothing
		},
		ErrorLog: log.New(io.Discard, "", 0), // watches break off whenever it is killed: the books count what befell whom
	}
	return p
}

// Counts of what befell requests, and of those that nothing befell under "".
func (p *Proxy) Counts() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.counts)
}

// ServeHTTP lets the request meet its fate.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") != "" {
		p.reverse.ServeHTTP(w, r)
		return
	}
	fate := decide(r, p.dice.draw())
	p.mu.Lock()
	p.counts[fate.Name()]++
	p.mu.Unlock()
	p.meet(w, r, fate)
}

func (p *Proxy) meet(w http.ResponseWriter, r *http.Request, fate Fate) {
	switch {
	case fate.Status != 0:
		refuse(w, fate.Status)
	case fate.Unanswered:
		panic(http.ErrAbortHandler)
	case fate.Lost:
		p.reverse.ServeHTTP(&deaf{header: http.Header{}}, r)
		panic(http.ErrAbortHandler)
	case fate.Lag != 0 || fate.CutAfter != 0:
		p.reverse.ServeHTTP(newSlow(w, fate), r)
	default:
		select {
		case <-time.After(fate.Delay):
			p.reverse.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	}
}

// refuse as an API server does.
func refuse(w http.ResponseWriter, status int) {
	reasons := map[int]metav1.StatusReason{
		http.StatusInternalServerError: metav1.StatusReasonInternalError, http.StatusServiceUnavailable: metav1.StatusReasonServiceUnavailable,
		http.StatusTooManyRequests: metav1.StatusReasonTooManyRequests, http.StatusGatewayTimeout: metav1.StatusReasonTimeout,
		http.StatusConflict: metav1.StatusReasonConflict,
	}
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Code: int32(status),
		Reason: reasons[status], Message: fmt.Sprintf("chaos proxy: %s", http.StatusText(status)),
	})
}

// deaf takes an answer that nobody hears.
type deaf struct{ header http.Header }

func (d *deaf) Header() http.Header         { return d.header }
func (d *deaf) WriteHeader(int)             {}
func (d *deaf) Write(p []byte) (int, error) { return io.Discard.Write(p) }

// slow tells what it is told later, and breaks off in time.
type slow struct {
	http.ResponseWriter
	lag time.Duration
	end time.Time
}

func newSlow(w http.ResponseWriter, fate Fate) *slow {
	s := &slow{ResponseWriter: w, lag: fate.Lag}
	if fate.CutAfter != 0 {
		s.end = time.Now().Add(fate.CutAfter)
	}
	return s
}

// Unwrap is how the proxy finds what flushes.
func (s *slow) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Write holds what came for the lag. A watch that is to end does so with the first word after its time, which is lost.
func (s *slow) Write(p []byte) (int, error) {
	time.Sleep(s.lag) // the lag is what this is for
	if !s.end.IsZero() && time.Now().After(s.end) {
		panic(http.ErrAbortHandler)
	}
	return s.ResponseWriter.Write(p)
}
