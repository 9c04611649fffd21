package controller

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clocktesting "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/measure"
	"ringside.dev/ringside/operators/internal/runs/simulated"
	"ringside.dev/ringside/operators/metrics"
)

func TestMetricsReportStateTimesOutcomesProgressAndBaseline(t *testing.T) {
	scheme := runtime.NewScheme()
	require.NoError(t, v1beta1.AddToScheme(scheme))
	labels := map[string]string{v1beta1.LabelExperiment: "quorum", v1beta1.LabelRun: "r1"}
	ended := metav1.NewTime(noon.Add(time.Minute))
	experiment := &v1beta1.Experiment{
		ObjectMeta: metav1.ObjectMeta{Name: "quorum-r1", Labels: labels, CreationTimestamp: metav1.NewTime(noon)},
		Spec:       v1beta1.ExperimentSpec{Baseline: "hsha", Servers: []v1beta1.ServerSpec{{Name: "disruptor"}, {Name: "hsha"}}},
		Status: v1beta1.ExperimentStatus{FinishedAt: &ended, Planned: 4, Finished: 2, Invalid: 1, Conditions: []metav1.Condition{
			{Type: v1beta1.ConditionAccepted, Status: metav1.ConditionTrue, LastTransitionTime: metav1.NewTime(noon)},
			{Type: v1beta1.ConditionProgressing, Status: metav1.ConditionTrue, Reason: v1beta1.ReasonMeasuring, LastTransitionTime: metav1.NewTime(noon)},
		}},
	}
	interval := metav1.NewMicroTime(noon.Add(45 * time.Second))
	measurement := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: "m", Labels: labels}}
	part := &v1beta1.MeasurementPart{ObjectMeta: metav1.ObjectMeta{Name: "p", Labels: measurement.ObjectLabels()}, Part: v1beta1.Part{LastIntervalAt: &interval}}
	reader := fake.NewClientBuilder().WithScheme(scheme).WithObjects(experiment, measurement, part).Build()
	collector := NewMetrics(reader, clocktesting.NewFakePassiveClock(noon.Add(time.Minute)))

	require.NoError(t, testutil.CollectAndCompare(collector, strings.NewReader(`
# HELP ringside_experiment_accepted_timestamp_seconds When the run was accepted, as a Unix timestamp.
# TYPE ringside_experiment_accepted_timestamp_seconds gauge
ringside_experiment_accepted_timestamp_seconds{experiment="quorum",run="r1"} 1.7952624e+09
# HELP ringside_experiment_baseline 1 for the server that ratios are taken against.
# TYPE ringside_experiment_baseline gauge
ringside_experiment_baseline{experiment="quorum",run="r1",server="disruptor"} 0
ringside_experiment_baseline{experiment="quorum",run="r1",server="hsha"} 1
# HELP ringside_experiment_finished_timestamp_seconds When the run ended, as a Unix timestamp.
# TYPE ringside_experiment_finished_timestamp_seconds gauge
ringside_experiment_finished_timestamp_seconds{experiment="quorum",run="r1"} 1.79526246e+09
# HELP ringside_experiment_measurements Measurements of the run by outcome.
# TYPE ringside_experiment_measurements gauge
ringside_experiment_measurements{experiment="quorum",outcome="finished",run="r1"} 2
ringside_experiment_measurements{experiment="quorum",outcome="invalid",run="r1"} 1
ringside_experiment_measurements{experiment="quorum",outcome="planned",run="r1"} 4
# HELP ringside_experiment_last_progress_timestamp_seconds Time of the run's last progress, as a Unix timestamp.
# TYPE ringside_experiment_last_progress_timestamp_seconds gauge
ringside_experiment_last_progress_timestamp_seconds{experiment="quorum",run="r1"} 1.795262445e+09
# HELP ringside_experiment_state 1 for the state that the experiment is in.
# TYPE ringside_experiment_state gauge
ringside_experiment_state{experiment="quorum",run="r1",state="Accepted"} 0
ringside_experiment_state{experiment="quorum",run="r1",state="AwaitingStore"} 0
ringside_experiment_state{experiment="quorum",run="r1",state="Failed"} 0
ringside_experiment_state{experiment="quorum",run="r1",state="Finished"} 0
ringside_experiment_state{experiment="quorum",run="r1",state="InstallingStore"} 0
ringside_experiment_state{experiment="quorum",run="r1",state="Measuring"} 1
ringside_experiment_state{experiment="quorum",run="r1",state="Queued"} 0
ringside_experiment_state{experiment="quorum",run="r1",state="Refused"} 0
ringside_experiment_state{experiment="quorum",run="r1",state="RemovingStore"} 0
ringside_experiment_state{experiment="quorum",run="r1",state="Suspended"} 0
`), metrics.ExperimentAccepted, metrics.ExperimentFinished, metrics.ExperimentMeasurements, metrics.ExperimentLastProgress, metrics.ExperimentState, metrics.ExperimentBaseline))
	problems, err := testutil.CollectAndLint(collector)
	require.NoError(t, err)
	require.Empty(t, problems)
}

// The alert RingsideExperimentStuck must fire for what takes longer than it was told to, and for nothing else.
func TestTheLastProgressIsWhenWhatWasAskedForShouldHaveEnded(t *testing.T) {
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	micro := func(minutes int) *metav1.MicroTime { return ptr.To(metav1.NewMicroTime(at(minutes))) }
	minutes := func(n int) *metav1.Duration { return &metav1.Duration{Duration: time.Duration(n) * time.Minute} }
	for name, test := range map[string]struct {
		spec  v1beta1.MeasurementSpec
		start *metav1.MicroTime
		last  *metav1.MicroTime // of a load pod's log
		now   int
		want  int
	}{
		"a load that reports":           {v1beta1.MeasurementSpec{}, micro(0), micro(59), 60, 59},
		"a load that stopped reporting": {v1beta1.MeasurementSpec{}, micro(0), micro(20), 60, 20},
		"a phase of an hour":            {v1beta1.MeasurementSpec{Duration: minutes(60)}, micro(0), nil, 50, 50},
		"windows of an hour after a warm-up": {v1beta1.MeasurementSpec{Duration: minutes(60), Interleave: &v1beta1.Interleave{Warmup: *minutes(10)}},
			micro(0), nil, 90, 70},
		"a phase of an hour that does not end":     {v1beta1.MeasurementSpec{Duration: minutes(60)}, micro(0), nil, 90, 60},
		"a wait for compactions":                   {v1beta1.MeasurementSpec{AwaitCompactions: minutes(30)}, micro(0), micro(20), 45, 45},
		"a wait for compactions that does not end": {v1beta1.MeasurementSpec{AwaitCompactions: minutes(30)}, micro(0), micro(20), 90, 50},
		"a load that did not start":                {v1beta1.MeasurementSpec{Duration: minutes(60)}, nil, nil, 30, 10},
	} {
		t.Run(name, func(t *testing.T) {
			m := v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: "m", Labels: map[string]string{v1beta1.LabelRun: "r1"}}, Spec: test.spec}
			m.Status.StartAt = test.start
			part := v1beta1.MeasurementPart{ObjectMeta: metav1.ObjectMeta{Labels: m.ObjectLabels()}, Part: v1beta1.Part{LastIntervalAt: test.last}}
			progress := progressByRun([]v1beta1.Measurement{m}, []v1beta1.MeasurementPart{part}, at(test.now))
			experiment := &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(noon)}}
			experiment.Spec.Store.ReadyTimeout.Duration = 10 * time.Minute
			experiment.Status.Store = &v1beta1.StoreStatus{InstalledAt: metav1.NewTime(noon)}
			assert.Equal(t, at(test.want), lastProgress(experiment, progress["r1"], at(test.now)).UTC())
		})
	}
}

func TestMetricsTellWhenNodesWereHitAndReadyAgainWhileTheRunGoesOn(t *testing.T) {
	scheme := runtime.NewScheme()
	require.NoError(t, v1beta1.AddToScheme(scheme))
	at := func(seconds time.Duration) *metav1.MicroTime {
		moment := metav1.NewMicroTime(noon.Add(seconds * time.Second))
		return &moment
	}
	run := func(id string, finished *metav1.Time) *v1beta1.Experiment {
		return &v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: "faults-" + id, Labels: map[string]string{v1beta1.LabelExperiment: "faults", v1beta1.LabelRun: id}},
			Status: v1beta1.ExperimentStatus{FinishedAt: finished}}
	}
	hit := func(id, name string, known ...v1beta1.FaultStatus) *v1beta1.Measurement {
		return &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{v1beta1.LabelRun: id}},
			Spec: v1beta1.MeasurementSpec{Experiment: "faults", Run: id, Store: "cassandra", Server: "hsha", Operation: "read", Phase: "read", Round: 2, Repeat: 1,
				Faults: []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill, Node: 1}, {Kind: v1beta1.FaultKill, Node: 2}}},
			Status: v1beta1.MeasurementStatus{Faults: known}}
	}
	one := v1beta1.FaultStatus{Index: 0, AskedAt: *at(30), ReadyAt: at(50)}
	two := v1beta1.FaultStatus{Index: 1, AskedAt: *at(90)}
	ordered := hit("r1", "m", v1beta1.FaultStatus{Index: 0, AskedAt: *at(1)})
	ordered.Spec.Faults[0].Kind = v1beta1.FaultPause
	paused := ordered.DeepCopy()
	paused.Status.Faults[0].BeganAt = at(30)
	ended := metav1.NewTime(noon.Add(time.Hour))
	const name = metrics.ExperimentFault
	for says, test := range map[string]struct {
		objects []client.Object
		want    string
	}{
		"none was asked for": {[]client.Object{run("r1", nil), hit("r1", "m")}, ""},
		"one is back, and one is away": {[]client.Object{run("r1", nil), hit("r1", "m", one, two)},
			`ringside_experiment_fault_timestamp_seconds{event="hit",experiment="faults",fault="kill",index="0",measurement="m",node="1",operation="read",phase="read",repeat="1",round="2",run="r1",server="hsha",store="cassandra"} 1.79526243e+09
ringside_experiment_fault_timestamp_seconds{event="hit",experiment="faults",fault="kill",index="1",measurement="m",node="2",operation="read",phase="read",repeat="1",round="2",run="r1",server="hsha",store="cassandra"} 1.79526249e+09
ringside_experiment_fault_timestamp_seconds{event="ready again",experiment="faults",fault="kill",index="0",measurement="m",node="1",operation="read",phase="read",repeat="1",round="2",run="r1",server="hsha",store="cassandra"} 1.79526245e+09
`},
		"the same cell of two installations": {[]client.Object{run("r1", nil), hit("r1", "m", two), hit("r1", "n", two)},
			`ringside_experiment_fault_timestamp_seconds{event="hit",experiment="faults",fault="kill",index="1",measurement="m",node="2",operation="read",phase="read",repeat="1",round="2",run="r1",server="hsha",store="cassandra"} 1.79526249e+09
ringside_experiment_fault_timestamp_seconds{event="hit",experiment="faults",fault="kill",index="1",measurement="n",node="2",operation="read",phase="read",repeat="1",round="2",run="r1",server="hsha",store="cassandra"} 1.79526249e+09
`},
		"a pause is to come": {[]client.Object{run("r1", nil), ordered}, ""},
		"a pause has been": {[]client.Object{run("r1", nil), paused},
			`ringside_experiment_fault_timestamp_seconds{event="hit",experiment="faults",fault="pause",index="0",measurement="m",node="1",operation="read",phase="read",repeat="1",round="2",run="r1",server="hsha",store="cassandra"} 1.79526243e+09
`},
		"the run has ended": {[]client.Object{run("r1", &ended), hit("r1", "m", one)}, ""},
	} {
		t.Run(says, func(t *testing.T) {
			collector := NewMetrics(fake.NewClientBuilder().WithScheme(scheme).WithObjects(test.objects...).Build(), clocktesting.NewFakePassiveClock(noon.Add(time.Minute)))
			want := test.want
			if want != "" {
				want = "# HELP " + name + " When a node of the store was hit under a measurement, and when it was ready again.\n# TYPE " + name + " gauge\n" + want
			}
			require.NoError(t, testutil.CollectAndCompare(collector, strings.NewReader(want), name))
			problems, err := testutil.CollectAndLint(collector)
			require.NoError(t, err)
			require.Empty(t, problems)
		})
	}
}

func TestARunSaysThatNobodyScrapedItWhereAPrometheusWouldHave(t *testing.T) {
	measured := func(length time.Duration, scraped metav1.ConditionStatus) *v1beta1.Measurement {
		at := func(kind string, status metav1.ConditionStatus, after time.Duration) metav1.Condition {
			return metav1.Condition{Type: kind, Status: status, LastTransitionTime: metav1.Time{Time: noon.Add(after)}}
		}
		return &v1beta1.Measurement{Status: v1beta1.MeasurementStatus{Conditions: []metav1.Condition{
			at(v1beta1.ConditionStarted, "True", 0), at(v1beta1.ConditionFinished, "True", length), at(v1beta1.ConditionScraped, scraped, length)}}}
	}
	for name, test := range map[string]struct {
		measurements map[string]*v1beta1.Measurement
		unscraped    bool
	}{
		"nothing was measured":            {nil, false},
		"too short to tell":               {map[string]*v1beta1.Measurement{"a": measured(39*time.Second, "False")}, false},
		"long enough":                     {map[string]*v1beta1.Measurement{"a": measured(time.Minute, "False")}, true},
		"long enough together":            {map[string]*v1beta1.Measurement{"a": measured(20*time.Second, "False"), "b": measured(20*time.Second, "False")}, true},
		"one was scraped":                 {map[string]*v1beta1.Measurement{"a": measured(time.Hour, "False"), "b": measured(time.Second, "True")}, false},
		"by an operator that did not see": {map[string]*v1beta1.Measurement{"a": {Status: v1beta1.MeasurementStatus{Conditions: []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: "True"}}}}}, false},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.unscraped, unscraped(test.measurements)) })
	}
}

// A kubelet's answer for a container that it had removed (containerd, Kubernetes 1.34).
func TestTheKubeletsAnswerForALogThatIsGoneIsNoLog(t *testing.T) {
	assert.Empty(t, wordsOf("unable to retrieve container logs for containerd://5ad0c2bf4c1b"))
	assert.Equal(t, "Unrecognized VM option 'UseZGC'", wordsOf("Unrecognized VM option 'UseZGC'\n"))
	assert.Empty(t, wordsOf("\n"))
}

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
