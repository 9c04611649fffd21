// Package chaosproxy stands between an API server and those who talk to it, and does to their requests what a busy network and a busy
// server do: delays, errors, lost answers, watches that lag and end. A seed draws what befalls which request.
package chaosproxy

import (
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// Fate of a request.
type Fate struct {
	// Delay before it is passed on.
	Delay time.Duration
	// Status that it is answered with in place of being passed on; 0 for none.
	Status int
	// Unanswered requests are broken off before they reach the server, Lost ones after it has done what they ask for.
	Unanswered, Lost bool
	// Lag of what a watch tells, and when it is cut; 0 for never.
	Lag, CutAfter time.Duration
}

// Name of what befalls the request, for counts; empty where nothing does.
func (f Fate) Name() string {
	switch {
	case f.Status != 0:
		return http.StatusText(f.Status)
	case f.Unanswered:
		return "broken off before"
	case f.Lost:
		return "answer lost"
	case f.CutAfter != 0:
		return "watch cut"
	case f.Lag != 0:
		return "watch lags"
	case f.Delay != 0:
		return "delayed"
	}
	return ""
}

const (
	longestDelay = 2 * time.Second
	longestLag   = 3 * time.Second
	longestWatch = 20 * time.Second
)

// drawn are the random numbers of one request, each from 0 to 1.
type drawn struct{ what, which, how float64 }

// share of what befalls requests, adding up.
const (
	errorsUpTo     = 0.05
	unansweredUpTo = errorsUpTo + 0.02
	lostUpTo       = unansweredUpTo + 0.03
	delayedUpTo    = lostUpTo + 0.15
)

// decide the fate of a request. Of a watch the events lag as a rule, and half of them are cut.
func decide(r *http.Request, d drawn) Fate {
	change := r.Method != http.MethodGet && r.Method != http.MethodHead
	switch {
	case d.what < errorsUpTo:
		statuses := []int{http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusTooManyRequests, http.StatusGatewayTimeout}
		if r.Method == http.MethodPut {
			statuses = append(statuses, http.StatusConflict)
		}
		return Fate{Status: statuses[int(d.which*float64(len(statuses)))]}
	case d.what < unansweredUpTo:
		return Fate{Unanswered: true}
	case isWatch(r):
		fate := Fate{Lag: time.Duration(d.which * d.which * float64(longestLag))}
		if d.how < 0.5 {
			fate.CutAfter = time.Second + time.Duration(d.how*2*float64(longestWatch))
		}
		return fate
	case d.what < lostUpTo && change:
		return Fate{Lost: true}
	case d.what < delayedUpTo:
		return Fate{Delay: time.Duration(d.how * float64(longestDelay))}
	}
	return Fate{}
}

func isWatch(r *http.Request) bool {
	watch := r.URL.Query().Get("watch")
	return r.Method == http.MethodGet && (watch == "true" || watch == "1")
}

// dice that several requests may throw at once.
type dice struct {
	mu     sync.Mutex
	random *rand.Rand
}

func newDice(seed int64) *dice { return &dice{random: rand.New(rand.NewPCG(uint64(seed), 1))} }

func (d *dice) draw() drawn {
	d.mu.Lock()
	defer d.mu.Unlock()
	return drawn{what: d.random.Float64(), which: d.random.Float64(), how: d.random.Float64()}
}
