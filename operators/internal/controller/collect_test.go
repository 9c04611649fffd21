package controller

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// Parts stay Done: if such a chunk killed an operator, the next one would read it again after every restart.
func TestAChunkThatUnpacksToHundredsOfMegabytesFailsTheAttempt(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for range 200 {
		_, err := z.Write(bytes.Repeat([]byte("#comment\n"), 1<<20/9))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.Less(t, packed.Len(), measure.MaxChunk)
	m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Namespace: simulated.Namespace, Name: "m"}}
	reader := simulated.NewClient()
	require.NoError(t, reader.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: simulated.Namespace, Name: "log-0"},
		BinaryData: map[string][]byte{measure.LogKey: packed.Bytes()}}))
	_, err := (&Reconciler{Reader: reader}).summarize(t.Context(), m, []v1beta1.Part{{Pod: "load-0", Logs: []string{"log-0"}}})
	require.ErrorIs(t, err, errLogWrong)
	require.ErrorContains(t, err, "load pod load-0: unpack log: it holds more than 67108864 bytes")
}
