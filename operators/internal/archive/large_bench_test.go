package archive_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/operators/api/v1alpha1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/runs/simulated"
)

// BenchmarkLargeMeasurement writes and reads a measurement on a store of 100 nodes with 64 load pods, as in the last column of docs/design/scale.md.
func BenchmarkLargeMeasurement(b *testing.B) {
	operations := int64(600)
	enlarge := func(_ int, m *v1alpha1.Measurement) {
		node := m.Status.Environment.StoreNodes[0]
		m.Status.Environment.StoreNodes = slices.Repeat([]v1alpha1.NodeInfo{node}, 100)
		m.Status.Environment.LoadNodes = slices.Repeat([]v1alpha1.NodeInfo{node}, 64)
		at := metav1.NewMicroTime(m.Status.Result.StartedAt.Time)
		m.Status.Parts = nil
		for i := range int32(64) {
			m.Status.Parts = append(m.Status.Parts, v1alpha1.Part{Index: i, Attempt: 1, State: v1alpha1.PartDone, Pod: fmt.Sprintf("%s-a1-%d-abcde", m.Name, i), Node: node.Name,
				Operations: 1000, OpRate: "100.0", P95Millis: "12.500", FirstIntervalAt: &at, LastIntervalAt: &at, ClockOffsetMicros: ptr.To[int64](100), ClockErrorMicros: ptr.To[int64](200),
				Connected: true, CPUUsedPermille: ptr.To[int64](400), CPUWaitedPermille: ptr.To[int64](10), Logs: []string{fmt.Sprintf("%s-a1-p%d-log-0-0123456789abcdef", m.Name, i)}})
			m.Status.StorePods = append(m.Status.StorePods, v1alpha1.StorePod{Name: fmt.Sprintf("store-%d", i), UID: "00000000-0000-0000-0000-000000000000"})
		}
	}
	folder, err := simulated.Archive(b.TempDir(), simulated.Experiment("toy", "20261121-001500", []v1alpha1.ServerSpec{{Name: "quick"}}, 1, 0,
		v1alpha1.PhaseSpec{Name: "write", Repeats: 8, Threads: 5, Operations: &operations}), enlarge)
	require.NoError(b, err)
	run, err := archive.Read(folder.Path)
	require.NoError(b, err)
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, m := range run.Measurements {
				require.NoError(b, folder.WriteMeasurement(m))
			}
		}
		b.ReportMetric(perMeasurement(b, len(run.Measurements)), "ms/measurement")
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := archive.Read(folder.Path)
			require.NoError(b, err)
		}
		b.ReportMetric(perMeasurement(b, len(run.Measurements)), "ms/measurement")
	})
}

func perMeasurement(b *testing.B, measurements int) float64 {
	return float64(b.Elapsed()) / float64(time.Millisecond) / float64(b.N*measurements)
}
