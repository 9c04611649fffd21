package chaosproxy

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func request(t *testing.T, method, target string) *http.Request {
	t.Helper()
	return httptest.NewRequest(method, target, nil)
}

func TestFates(t *testing.T) {
	get, put, watch := request(t, http.MethodGet, "/api/v1/pods"), request(t, http.MethodPut, "/api/v1/pods/a"), request(t, http.MethodGet, "/api/v1/pods?watch=true")
	for _, test := range []struct {
		name  string
		of    *http.Request
		drawn drawn
		then  Fate
	}{
		{"an error of the server", get, drawn{what: 0.01}, Fate{Status: http.StatusInternalServerError}},
		{"only what replaces meets a conflict", put, drawn{what: 0.01, which: 0.99}, Fate{Status: http.StatusConflict}},
		{"what reads does not", get, drawn{what: 0.01, which: 0.99}, Fate{Status: http.StatusGatewayTimeout}},
		{"a request that does not arrive", get, drawn{what: 0.06}, Fate{Unanswered: true}},
		{"a change whose answer is lost", put, drawn{what: 0.08}, Fate{Lost: true}},
		{"of what reads no answer is lost for good", get, drawn{what: 0.08, how: 0.5}, Fate{Delay: time.Second}},
		{"a delay", get, drawn{what: 0.2, how: 0.25}, Fate{Delay: 500 * time.Millisecond}},
		{"nothing", get, drawn{what: 0.5}, Fate{}},
		{"a watch that lags", watch, drawn{what: 0.5, which: 1, how: 0.9}, Fate{Lag: longestLag}},
		{"a watch that ends", watch, drawn{what: 0.5, how: 0.25}, Fate{CutAfter: 11 * time.Second}},
	} {
		assert.Equal(t, test.then, decide(test.of, test.drawn), test.name)
	}
}

func TestASeedDrawsTheSame(t *testing.T) {
	one, again, other := newDice(1), newDice(1), newDice(2)
	for range 10 {
		drawn := one.draw()
		assert.Equal(t, drawn, again.draw())
		assert.NotEqual(t, drawn, other.draw())
	}
}

// throughProxy is a server that counts what reaches it, and a client that meets one fate on the way.
func throughProxy(t *testing.T, fate Fate) (get func(path string) (*http.Response, error), reached *int) {
	t.Helper()
	reached = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		*reached++
		for i := range 3 {
			fmt.Fprintf(w, "event %d\n", i)
			w.(http.Flusher).Flush()
		}
	}))
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	require.NoError(t, err)
	proxy := New(at, http.DefaultTransport, 1)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { proxy.meet(w, r, fate) }))
	t.Cleanup(front.Close)
	return func(path string) (*http.Response, error) { return http.Post(front.URL+path, "text/plain", nil) }, reached
}

func TestWhatNothingBefallsIsPassedOn(t *testing.T) {
	get, reached := throughProxy(t, Fate{})
	response, err := get("/")
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, "event 0\nevent 1\nevent 2\n", string(body))
	assert.Equal(t, 1, *reached)
}

func TestAnErrorIsAnsweredAsAnAPIServerDoes(t *testing.T) {
	get, reached := throughProxy(t, Fate{Status: http.StatusTooManyRequests})
	response, err := get("/")
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, http.StatusTooManyRequests, response.StatusCode)
	assert.Equal(t, "1", response.Header.Get("Retry-After"))
	assert.Contains(t, string(body), `"reason":"TooManyRequests"`)
	assert.Zero(t, *reached)
}

func TestALostAnswerIsOneOfARequestThatWasDone(t *testing.T) {
	get, reached := throughProxy(t, Fate{Lost: true})
	_, err := get("/")
	require.Error(t, err)
	assert.Equal(t, 1, *reached)
	get, reached = throughProxy(t, Fate{Unanswered: true})
	_, err = get("/")
	require.Error(t, err)
	assert.Zero(t, *reached)
}

func TestACutWatchBreaksOff(t *testing.T) {
	get, _ := throughProxy(t, Fate{CutAfter: time.Nanosecond})
	response, err := get("/")
	if err == nil {
		_, err = io.ReadAll(response.Body)
	}
	assert.Error(t, err)
}
