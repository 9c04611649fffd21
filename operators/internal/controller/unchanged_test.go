package controller_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
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

// changesOfASpec returns changes by field: of fields that were set, and of fields that were omitted.
func changesOfASpec() map[string][]func(*v1beta1.ExperimentSpec) {
	type spec = v1beta1.ExperimentSpec
	another := int64(2)
	return map[string][]func(*spec){
		"description": {func(s *spec) { s.Description = "another question" }},
		"store": {
			func(s *spec) { s.Store.Chart = "stub" },
			func(s *spec) { s.Store.Hosting = v1beta1.HostingShared },
			func(s *spec) { s.Store.ReadyTimeout.Duration++ },
			func(s *spec) { s.Store.Values.Raw = []byte(`{"nodes": 3, "storage": {"size": "1Gi"}}`) },
			func(s *spec) { s.Store.Values.Raw = []byte(`{"nodes": 2, "storage": {"size": "2Gi"}}`) },
			func(s *spec) { s.Store.Values.Raw = []byte(`{"nodes": 2, "storage": {"size": "1Gi"}, "more": null}`) },
			func(s *spec) { s.Store.Values = nil },
		},
		"servers": {
			func(s *spec) { s.Servers = append(s.Servers, v1beta1.ServerSpec{Name: "hsha"}) },
			func(s *spec) { s.Servers[0].Type = "hsha" },
			func(s *spec) { s.Servers[0].Values = &apiextensionsv1.JSON{Raw: []byte(`{"heap": "2G"}`)} },
			func(s *spec) { s.Servers[0].Options = map[string]string{"workers": "3"} },
		},
		"baseline": {func(s *spec) { s.Baseline = s.Servers[0].Name }},
		"load": {
			func(s *spec) { s.Load.Pods++ },
			func(s *spec) { s.Load.Parameters = v1beta1.Parameters{"columns": "5"} },
		},
		"phases": {
			func(s *spec) { s.Phases[0].Threads++ },
			func(s *spec) { s.Phases = s.Phases[:1] },
		},
		"operations":    {func(s *spec) { s.Operations = &another }},
		"keys":          {func(s *spec) { s.Keys = &another }},
		"rounds":        {func(s *spec) { s.Rounds++ }},
		"warmupRounds":  {func(s *spec) { s.WarmupRounds = 1 }},
		"installations": {func(s *spec) { s.Installations = 2 }},
		"precision":     {func(s *spec) { s.Precision = "3%" }},
		"budget":        {func(s *spec) { s.Budget = &metav1.Duration{Duration: time.Hour} }},
		"equivalent":    {func(s *spec) { s.Equivalent = "1%" }},
		"seed":          {func(s *spec) { s.Seed = &another }},
		"maxAttempts":   {func(s *spec) { s.MaxAttempts++ }},
		"gates":         {func(s *spec) { s.Gates.Disk = v1beta1.GateOff }},
	}
}

// mayChange lists the fields that may change during a run.
var mayChange = []string{"suspend", "ttlAfterFinished"}

func TestSpecOfARunIsFixed(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Rounds = 2
		e.Spec.Store.Values = &apiextensionsv1.JSON{Raw: []byte(`{"nodes": 2, "storage": {"size": "1Gi"}}`)}
	})
	changes := changesOfASpec()
	assert.ElementsMatch(t, fieldsOfASpec(), slices.Concat(slices.Collect(maps.Keys(changes)), mayChange), "every field is tried")
	for field, all := range changes {
		for i, change := range all {
			for _, also := range []func(*v1beta1.ExperimentSpec){func(*v1beta1.ExperimentSpec) {}, func(s *v1beta1.ExperimentSpec) { s.Suspend = true }} {
				changed := h.get(experiment)
				change(&changed.Spec)
				also(&changed.Spec)
				err := h.client.Update(h.ctx, changed)
				require.True(t, apierrors.IsInvalid(err), "%s, change %d: %v", field, i, err)
				assert.Contains(t, err.Error(), "only suspend and ttlAfterFinished may change); start a new run instead", "%s, change %d", field, i)
			}
		}
	}
}

func fieldsOfASpec() []string {
	var fields []string
	for field := range reflect.TypeFor[v1beta1.ExperimentSpec]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		fields = append(fields, name)
	}
	return fields
}

// Stopping, resuming and keeping a run must not count as a change of its chart's values.
func TestARunWithValuesCanBeStoppedResumedAndKept(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	experiment := h.create(func(e *v1beta1.Experiment) {
		e.Spec.Store.Values = &apiextensionsv1.JSON{Raw: []byte(`{"storage": {"size": "1Gi"}, "nodes": 2, "ratio": 1.5, "list": [], "nothing": null}`)}
		e.Spec.Servers[0].Values = &apiextensionsv1.JSON{Raw: []byte(`{"nodes": 2}`)}
	})
	suspend(h, experiment, true)
	suspend(h, experiment, false)
	changed := h.get(experiment)
	changed.Spec.TTLAfterFinished = &metav1.Duration{Duration: time.Hour}
	changed.Spec.Store.Values.Raw = []byte(`{"nothing": null, "list": [], "ratio": 1.5, "nodes": 2, "storage": {"size": "1Gi"}}`)
	require.NoError(t, h.client.Update(h.ctx, changed))
}
