package controller_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unchanged has the API server's answers to reads of a namespace's resources, until a request may change them. Most of the
// suite's time is the server's, and most of that goes into lists that nobody has written to since the last step. It
// assumes that only requests through it write, that a request writes only to the resource that it names (there is no
// controller manager), and that definitions of resources stay as they are.
type unchanged struct {
	mu      sync.Mutex
	answers map[scope]map[string]answer
	// writes is the number of writes that began or ended. An answer counts only if it has not changed meanwhile.
	writes map[scope]int
}

// scope is a namespace's objects of a resource, of any API version, at a server.
type scope struct{ server, namespace, resource string }

type answer struct {
	header http.Header
	body   []byte
}

func newUnchanged() *unchanged {
	return &unchanged{answers: map[scope]map[string]answer{}, writes: map[scope]int{}}
}

// scopeOf returns what a request reads or writes, and false for anything but a namespace's objects and schemas.
func scopeOf(r *http.Request) (scope, bool) {
	if strings.HasPrefix(r.URL.Path, "/openapi/") && r.URL.Query().Has("hash") { // of the content
		return scope{r.URL.Host, "", "openapi"}, true
	}
	_, path, is := strings.Cut(r.URL.Path, "/namespaces/")
	parts := strings.Split(path, "/")
	if !is || len(parts) < 2 {
		return scope{}, false
	}
	return scope{r.URL.Host, parts[0], parts[1]}, true
}

// transport returns a transport that asks the inner one for what is not kept.
func (u *unchanged) transport(inner http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		s, is := scopeOf(r)
		switch {
		case !is || r.URL.Query().Has("watch"):
			return inner.RoundTrip(r)
		case r.Method != http.MethodGet:
			u.written(s)
			defer u.written(s)
			return inner.RoundTrip(r)
		}
		key := r.URL.String() + " " + r.Header.Get("Accept")
		u.mu.Lock()
		kept, have := u.answers[s][key]
		writes := u.writes[s]
		u.mu.Unlock()
		if have {
			return kept.response(r), nil
		}
		response, err := inner.RoundTrip(r)
		if err != nil || response.StatusCode != http.StatusOK {
			return response, err
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil {
			return nil, err
		}
		got := answer{response.Header, body}
		u.mu.Lock()
		defer u.mu.Unlock()
		if u.writes[s] == writes {
			if u.answers[s] == nil {
				u.answers[s] = map[string]answer{}
			}
			u.answers[s][key] = got
		}
		return got.response(r), nil
	})
}

func (u *unchanged) written(s scope) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.writes[s]++
	delete(u.answers, s)
}

// forget drops what a test that has ended read.
func (u *unchanged) forget(namespace string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for s := range u.answers {
		if s.namespace == namespace {
			delete(u.answers, s)
		}
	}
}

func (a answer) response(r *http.Request) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: a.header.Clone(),
		Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: r}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAnAnswerIsKeptUntilItsResourceIsWritten(t *testing.T) {
	t.Parallel()
	asked := 0
	transport := newUnchanged().transport(roundTripper(func(r *http.Request) (*http.Response, error) {
		asked++
		return answer{body: []byte(r.URL.Path)}.response(r), nil
	}))
	const pods, jobs = "/api/v1/namespaces/run/pods", "/apis/batch/v1/namespaces/run/jobs"
	for _, c := range []struct {
		name, method, path string
		asks               bool
	}{
		{"first read", "GET", pods, true},
		{"same read", "GET", pods, false},
		{"other resource", "GET", jobs, true},
		{"other selection", "GET", pods + "?labelSelector=a", true},
		{"write to an object", "PATCH", pods + "/a/status", true},
		{"read after the write", "GET", pods, true},
		{"other selection after the write", "GET", pods + "?labelSelector=a", true},
		{"what was not written", "GET", jobs, false},
		{"schemas with their hash", "GET", "/openapi/v3/apis/apps/v1?hash=1", true},
		{"schemas with the same hash", "GET", "/openapi/v3/apis/apps/v1?hash=1", false},
		{"schemas without a hash", "GET", "/openapi/v3", true},
		{"schemas without a hash again", "GET", "/openapi/v3", true},
		{"watch", "GET", jobs + "?watch=true", true},
		{"another namespace", "GET", "/api/v1/namespaces/other/pods", true},
		{"the namespace itself", "GET", "/api/v1/namespaces/run", true},
		{"the namespace itself again", "GET", "/api/v1/namespaces/run", true},
	} {
		before := asked
		response, err := transport.RoundTrip(httptest.NewRequest(c.method, c.path, nil))
		require.NoError(t, err, c.name)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err, c.name)
		assert.Equal(t, strings.Split(c.path, "?")[0], string(body), c.name)
		assert.Equal(t, c.asks, asked > before, c.name)
	}
}

func TestAnAnswerThatAWriteOvertookIsNotKept(t *testing.T) {
	t.Parallel()
	const pods = "/api/v1/namespaces/run/pods"
	version := "old"
	var transport http.RoundTripper
	transport = newUnchanged().transport(roundTripper(func(r *http.Request) (*http.Response, error) {
		read := answer{body: []byte(version)}
		if r.Method == http.MethodGet && version == "old" { // written before the answer arrives
			version = "new"
			if _, err := transport.RoundTrip(httptest.NewRequest(http.MethodPost, pods, nil)); err != nil {
				return nil, err
			}
		}
		return read.response(r), nil
	}))
	for _, expected := range []string{"old", "new", "new"} {
		response, err := transport.RoundTrip(httptest.NewRequest(http.MethodGet, pods, nil))
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		assert.Equal(t, expected, string(body))
	}
}
