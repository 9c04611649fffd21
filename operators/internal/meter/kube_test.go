package meter

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
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
