package evaluate

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1alpha1"
)

func measured(operations int64) []v1alpha1.Measurement {
	return []v1alpha1.Measurement{
		{
			ObjectMeta: metav1.ObjectMeta{Name: "e-r-read-1"},
			Spec:       v1alpha1.MeasurementSpec{Experiment: "e", Run: "r", Server: "hsha", Phase: "read", Round: 1, Repeat: 2},
			Status: v1alpha1.MeasurementStatus{Result: &v1alpha1.Result{
				Operations: operations, OpRate: "50.0",
				Latencies: []v1alpha1.Latency{{Kind: v1alpha1.LatencyService, P95Millis: "4.100"}},
			}},
		},
		{ObjectMeta: metav1.ObjectMeta{Name: "not finished"}},
	}
}

func collected(t *testing.T) Prometheus {
	t.Helper()
	const cell = `{experiment="e", run="r", server="hsha", phase="read", round="1", repeat="2"`
	answer := func(value string) string {
		return `{"resultType":"vector","result":[{"metric":{},"value":[1000000,"` + value + `"]}]}`
	}
	operations := `sum(max_over_time(ringside_load_operations_total` + cell + `}[30m]))`
	return prometheus(t, map[string]string{
		operations: answer("1000"),
		operations + ` / max(max_over_time(ringside_load_active_seconds` + cell + `}[30m]))`:                                    answer("50.02"),
		`1000 * histogram_quantile(0.95, sum(last_over_time(ringside_load_latency_seconds` + cell + `, kind="service"}[30m])))`: answer("4.2"),
	})
}

func TestFiguresAgreeUpToRoundingAndBuckets(t *testing.T) {
	agreements, err := Agree(context.Background(), collected(t), measured(1000), halfAnHour)
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, PrintAgreements(&b, agreements))
	assert.Equal(t, `MEASUREMENT  FIGURE           MEASURED  PROMETHEUS  AGREE
e-r-read-1   ops              1000.0    1000.0      yes
e-r-read-1   op rate          50.0      50.0        yes
e-r-read-1   95th service ms  4.1       4.2         yes
`, b.String())
}

func TestALostOperationIsADifference(t *testing.T) {
	agreements, err := Agree(context.Background(), collected(t), measured(1001), halfAnHour)
	require.NoError(t, err)
	var b strings.Builder
	require.EqualError(t, PrintAgreements(&b, agreements), "1 figures of Prometheus differ from the measurements")
	assert.Contains(t, b.String(), "1001.0    1000.0      NO")
}

func TestLeavesOutAMeasurementThatNeededASecondAttempt(t *testing.T) {
	measurements := measured(1000)
	measurements[0].Status.Attempt = 2
	agreements, err := Agree(context.Background(), collected(t), measurements, halfAnHour)
	require.NoError(t, err)
	assert.Empty(t, agreements)
}

func TestNothingToCompareIsNoAgreement(t *testing.T) {
	assert.Error(t, PrintAgreements(&strings.Builder{}, nil))
}
