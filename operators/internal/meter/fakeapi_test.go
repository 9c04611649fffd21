package meter

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// fakeAPI is the part of an API server that one measurement's meters use. TestAgainstARealAPIServer tests how a real one handles these
// requests.
type fakeAPI struct {
	*httptest.Server

	mu          sync.Mutex
	measurement *v1beta1.Measurement
	// companions of an interleaved phase.
	companions map[string]*v1beta1.Measurement
	version    int
	logs       map[string]corev1.ConfigMap
	parts      []v1beta1.Part // every part ever written, in order
	away       bool
	refusals   int
	failures   int // number of writes that will fail
	onPart     func(v1beta1.Part)
}

func newFakeAPI(t *testing.T, m *v1beta1.Measurement) *fakeAPI {
	f := &fakeAPI{measurement: m, version: 1, logs: map[string]corev1.ConfigMap{}}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.away {
		f.refusals++
		refuse(w, http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable)
		return
	}
	body, _ := io.ReadAll(r.Body)
	name := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	for companion, m := range f.companions {
		if strings.Contains(r.URL.Path+"/", "/measurements/"+companion+"/") {
			_ = json.NewEncoder(w).Encode(m)
			return
		}
	}
	switch {
	case f.measurement == nil:
		refuse(w, http.StatusNotFound, metav1.StatusReasonNotFound)
	case r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/configmaps/"):
		_ = json.NewEncoder(w).Encode(f.logs[name])
	case r.Method == http.MethodGet:
		f.answer(w)
	case r.Method == http.MethodPatch && strings.Contains(r.URL.Path, "/measurementparts/"):
		var written v1beta1.MeasurementPart
		if err := json.Unmarshal(body, &written); err != nil || written.Name != name || written.Part.Pod != name {
			refuse(w, http.StatusBadRequest, metav1.StatusReasonBadRequest)
			return
		}
		if f.failures > 0 {
			f.failures--
			refuse(w, http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests)
			return
		}
		f.version++
		f.keep(written)
		_ = json.NewEncoder(w).Encode(written)
	case r.Method == http.MethodPost && name == "configmaps":
		var c corev1.ConfigMap
		if err := json.Unmarshal(body, &c); err != nil {
			refuse(w, http.StatusBadRequest, metav1.StatusReasonBadRequest)
			return
		}
		if _, there := f.logs[c.Name]; there {
			refuse(w, http.StatusConflict, metav1.StatusReasonAlreadyExists)
			return
		}
		f.logs[c.Name] = c
		_ = json.NewEncoder(w).Encode(c)
	default:
		refuse(w, http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed)
	}
}

// keep records a part in the measurements that it is for, as the operator does at the end.
func (f *fakeAPI) keep(written v1beta1.MeasurementPart) {
	part := written.Part
	f.parts = append(f.parts, part)
	for _, companion := range written.Companions {
		f.companions[companion.Measurement].Status.Parts = []v1beta1.Part{companion.Part}
	}
	if f.onPart != nil {
		f.onPart(part)
	}
	for i, p := range f.measurement.Status.Parts {
		if p.Index == part.Index {
			f.measurement.Status.Parts[i] = part
			return
		}
	}
	f.measurement.Status.Parts = append(f.measurement.Status.Parts, part)
}

func (f *fakeAPI) answer(w http.ResponseWriter) {
	m := f.measurement.DeepCopy()
	m.ResourceVersion = fmt.Sprint(f.version)
	_ = json.NewEncoder(w).Encode(m)
}

func refuse(w http.ResponseWriter, code int, reason metav1.StatusReason) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure, Code: int32(code), Reason: reason, Message: string(reason),
	})
}

// change changes the measurement as the operator would.
func (f *fakeAPI) change(do func(m *v1beta1.Measurement)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.version++
	do(f.measurement)
}

func (f *fakeAPI) setAway(away bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away = away
}

// last returns the last written part.
func (f *fakeAPI) last(t *testing.T) v1beta1.Part {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	require.NotEmpty(t, f.parts)
	return f.parts[len(f.parts)-1]
}

func (f *fakeAPI) states() []v1beta1.PartPhase {
	f.mu.Lock()
	defer f.mu.Unlock()
	var states []v1beta1.PartPhase
	for _, p := range f.parts {
		if len(states) == 0 || states[len(states)-1] != p.State {
			states = append(states, p.State)
		}
	}
	return states
}
