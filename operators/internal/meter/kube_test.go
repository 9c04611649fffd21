package meter

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/apiserver"
	"ringside.dev/ringside/operators/internal/measure"
)

const crds = "../../../charts/ringside/files/crds"

// realAPIServer starts an API server with the project's CRDs.
func realAPIServer(t *testing.T) *rest.Config {
	t.Helper()
	return apiserver.New(t, &envtest.Environment{CRDDirectoryPaths: []string{crds}, ErrorIfCRDPathMissing: true})
}

func podName(attempt, index int32) string { return fmt.Sprintf("load-a%d-%d-abcde", attempt, index) }

func TestAgainstARealAPIServer(t *testing.T) {
	config := realAPIServer(t)
	scheme := runtime.NewScheme()
	require.NoError(t, v1beta1.AddToScheme(scheme))
	require.NoError(t, corev1.AddToScheme(scheme))
	operator, err := client.New(config, client.Options{Scheme: scheme})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()

	m := testMeasurement()
	m.Namespace, m.UID = "default", ""
	require.NoError(t, operator.Create(ctx, m))
	key := client.ObjectKeyFromObject(m)
	setStatus := func(change func(*v1beta1.MeasurementStatus)) {
		t.Helper()
		require.NoError(t, Retry(ctx, "change the status", func(ctx context.Context) error {
			if err := operator.Get(ctx, key, m); err != nil {
				return err
			}
			change(&m.Status)
			return operator.Status().Update(ctx, m)
		}))
	}
	podAPI := func(attempt, index int32) *API {
		api, err := NewAPI(config, Config{Namespace: "default", Measurement: m.Name, Attempt: attempt, Index: index, Pod: podName(attempt, index)})
		require.NoError(t, err)
		return api
	}

	parts := func() []v1beta1.MeasurementPart {
		t.Helper()
		var all v1beta1.MeasurementPartList
		require.NoError(t, operator.List(ctx, &all, client.InNamespace("default"), client.MatchingLabels{v1beta1.LabelMeasurement: m.Name}))
		return all.Items
	}

	_, err = podAPI(1, 0).Measurement(ctx)
	require.ErrorContains(t, err, "is at attempt 0, this pod belongs to attempt 1", "the operator has not said so yet")
	require.False(t, hopeless(err))
	setStatus(func(s *v1beta1.MeasurementStatus) {
		s.Attempt = 1
		s.Conditions = []metav1.Condition{{Type: v1beta1.ConditionStarted, Status: metav1.ConditionFalse, Reason: "Waiting", LastTransitionTime: metav1.Now()}}
	})

	t.Run("pods write their parts at once, each without a retry, and nothing of the measurement", func(t *testing.T) {
		before := m.DeepCopy()
		var writers sync.WaitGroup
		for index := range int32(4) {
			writers.Go(func() {
				api := podAPI(1, index)
				for i := range int64(10) {
					assert.NoError(t, api.WritePart(ctx, v1beta1.Part{State: v1beta1.PartRunning, Pod: podName(1, index), Operations: i, OpRate: "1.0"}))
				}
			})
		}
		writers.Wait()
		written := parts()
		require.Len(t, written, 4)
		for i, p := range written {
			assert.Equal(t, podName(1, int32(i)), p.Name)
			assert.Equal(t, int32(i), p.Part.Index)
			assert.Equal(t, int64(9), p.Part.Operations)
			assert.Equal(t, int32(1), p.Part.Attempt)
			assert.Equal(t, []metav1.OwnerReference{{APIVersion: "ringside.dev/v1beta1", Kind: "Measurement", Name: m.Name, UID: m.UID}}, p.OwnerReferences)
			assert.Equal(t, m.Labels[v1beta1.LabelRun], p.Labels[v1beta1.LabelRun])
		}
		require.NoError(t, operator.Get(ctx, key, m))
		assert.Equal(t, before.ResourceVersion, m.ResourceVersion)
	})

	t.Run("the end of a part comes with those of its companions, and drops what was said before", func(t *testing.T) {
		companion := v1beta1.CompanionPart{Measurement: "companion", Part: v1beta1.Part{State: v1beta1.PartDone, Pod: podName(1, 0), Attempt: 1}}
		require.NoError(t, podAPI(1, 0).WritePart(ctx, v1beta1.Part{State: v1beta1.PartDone, Pod: podName(1, 0), Operations: 10}, companion))
		written := parts()[0]
		assert.Equal(t, v1beta1.PartDone, written.Part.State)
		assert.Empty(t, written.Part.OpRate)
		assert.Equal(t, []v1beta1.CompanionPart{companion}, written.Companions)
	})

	t.Run("a part that is done stays done, whatever arrives late", func(t *testing.T) {
		late := podAPI(1, 0).WritePart(ctx, v1beta1.Part{State: v1beta1.PartRunning, Pod: podName(1, 0), Operations: 9})
		require.ErrorContains(t, late, "a part that is Done or Failed keeps its state")
		assert.True(t, hopeless(late), late)
		require.NoError(t, podAPI(1, 0).WritePart(ctx, v1beta1.Part{State: v1beta1.PartDone, Pod: podName(1, 0), Operations: 10}), "a retry whose first response was lost")
		assert.Equal(t, int64(10), parts()[0].Part.Operations)
	})

	t.Run("a message that is too long is cut", func(t *testing.T) {
		require.NoError(t, podAPI(1, 1).WritePart(ctx, v1beta1.Part{State: v1beta1.PartFailed, Pod: podName(1, 1), Message: strings.Repeat("é", 10_000)},
			v1beta1.CompanionPart{Measurement: "companion", Part: v1beta1.Part{State: v1beta1.PartFailed, Pod: podName(1, 1), Message: strings.Repeat("x", 10_000)}}))
		assert.Len(t, parts()[1].Part.Message, longestMessage)
		assert.Len(t, parts()[1].Companions[0].Part.Message, longestMessage)
	})

	t.Run("a part that the API does not know is hopeless", func(t *testing.T) {
		err := podAPI(1, 0).WritePart(ctx, v1beta1.Part{State: "Bogus", Pod: "load"})
		require.Error(t, err)
		assert.True(t, hopeless(err), err)
	})

	t.Run("an earlier attempt cannot write", func(t *testing.T) {
		setStatus(func(s *v1beta1.MeasurementStatus) { s.Attempt = 2 })
		require.NoError(t, operator.DeleteAllOf(ctx, &v1beta1.MeasurementPart{}, client.InNamespace("default")))
		assert.ErrorIs(t, podAPI(1, 0).WritePart(ctx, v1beta1.Part{State: v1beta1.PartDone, Pod: "zombie"}), ErrSuperseded)
		assert.Empty(t, parts())
		require.NoError(t, podAPI(2, 0).WritePart(ctx, v1beta1.Part{State: v1beta1.PartReady, Pod: podName(2, 0)}))
		require.Len(t, parts(), 1)
		assert.Equal(t, int32(2), parts()[0].Part.Attempt)
	})

	t.Run("logs are stored once, whatever is tried twice, and belong to the measurement", func(t *testing.T) {
		chunk := make([]byte, 700_000)
		r := rand.NewChaCha8([32]byte{1})
		_, _ = r.Read(chunk)
		api := podAPI(2, 0)
		for range 2 {
			name, err := api.StoreLog(ctx, m, m, 0, chunk)
			require.NoError(t, err)
			assert.Equal(t, measure.LogName(m.Name, 2, 0, 0, chunk), name)
		}
		var stored corev1.ConfigMapList
		require.NoError(t, operator.List(ctx, &stored, client.InNamespace("default"), client.MatchingLabels{v1beta1.LabelMeasurement: m.Name}))
		require.Len(t, stored.Items, 1)
		assert.True(t, bytes.Equal(chunk, stored.Items[0].BinaryData[measure.LogKey]))
		assert.Equal(t, m.UID, stored.Items[0].OwnerReferences[0].UID)
		other, err := api.StoreLog(ctx, m, m, 0, []byte("another"))
		require.NoError(t, err)
		assert.NotEqual(t, measure.LogName(m.Name, 2, 0, 0, chunk), other, "another log never takes its place")
	})

	t.Run("nothing is written for a measurement that is finished", func(t *testing.T) {
		require.NoError(t, operator.DeleteAllOf(ctx, &v1beta1.MeasurementPart{}, client.InNamespace("default")))
		setStatus(func(s *v1beta1.MeasurementStatus) {
			s.Conditions = []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: metav1.ConditionTrue, Reason: "Collected", LastTransitionTime: metav1.Now()}}
		})
		require.NoError(t, podAPI(2, 0).WritePart(ctx, v1beta1.Part{State: v1beta1.PartDone, Pod: podName(2, 0)}))
		assert.Empty(t, parts(), "the operator has recorded and deleted them")
	})

	t.Run("a measurement that is gone supersedes", func(t *testing.T) {
		require.NoError(t, operator.Delete(ctx, m))
		assert.ErrorIs(t, podAPI(2, 0).WritePart(ctx, v1beta1.Part{State: v1beta1.PartDone}), ErrSuperseded)
	})
}

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
