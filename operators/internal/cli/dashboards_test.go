package cli

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/installation"
)

func TestGrafanaLinks_openTheLatestRunInItsOwnTimeRange(t *testing.T) {
	dashboards, err := monitored(t).Dashboards(installation.MonitoringNamespace)
	require.NoError(t, err)
	at := func(seconds int64) metav1.Time { return metav1.NewTime(time.Unix(seconds, 0)) }
	ended := at(1100)
	of := func(id string, created metav1.Time, chart string, finished *metav1.Time) v1beta1.Experiment {
		return v1beta1.Experiment{
			ObjectMeta: metav1.ObjectMeta{CreationTimestamp: created, Labels: map[string]string{v1beta1.LabelExperiment: "smoke", v1beta1.LabelRun: id}},
			Spec:       v1beta1.ExperimentSpec{Store: v1beta1.StoreSpec{Chart: chart}}, Status: v1beta1.ExperimentStatus{FinishedAt: finished},
		}
	}
	all := []string{"all runs:", "  Experiment history http://a:1/d/ringside-history", "  Runs               http://a:1/d/ringside-runs"}
	for name, test := range map[string]struct {
		runs []v1beta1.Experiment
		want []string
	}{
		"no run": {nil, nil},
		"a run that has ended": {[]v1beta1.Experiment{of("r2", at(1000), "udp-echo", &ended), of("r1", at(900), "stub", &ended)}, []string{
			"run r2 of smoke:",
			"  Experiment         http://a:1/d/ringside-experiment?from=1000000&to=1160000&var-experiment=smoke&var-run=r2",
			"  Server comparison  http://a:1/d/ringside-comparison?from=1000000&to=1160000&var-experiment=smoke&var-run=r2",
			"  Store              http://a:1/d/ringside-store?from=1000000&to=1160000&var-experiment=smoke&var-run=r2",
		}},
		"a run that goes on": {[]v1beta1.Experiment{of("r1", at(1000), "stub", nil)}, []string{
			"run r1 of smoke:",
			"  Experiment         http://a:1/d/ringside-experiment?from=1000000&to=now&var-experiment=smoke&var-run=r1",
			"  Server comparison  http://a:1/d/ringside-comparison?from=1000000&to=now&var-experiment=smoke&var-run=r1",
			"  Store              http://a:1/d/ringside-store?from=1000000&to=now&var-experiment=smoke&var-run=r1",
			"  Thrift server      http://a:1/d/ringside-thrift?from=1000000&to=now&var-experiment=smoke&var-run=r1",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, append(test.want, all...), links("a:1", dashboards, test.runs))
		})
	}
}
