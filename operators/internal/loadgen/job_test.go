package loadgen

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/orders"
)

func order() JobOrder {
	return JobOrder{
		Experiment: &v1beta1.Experiment{Spec: v1beta1.ExperimentSpec{Load: v1beta1.LoadSpec{
			Image: "stress", Pods: 2, Timeout: metav1.Duration{Duration: time.Hour},
			Parameters:   map[string]string{"columns": "5", "column-size": "34"},
			NodeSelector: map[string]string{"role": "load"},
			Tolerations:  []corev1.Toleration{{Key: "load", Operator: corev1.TolerationOpExists}},
		}}},
		Measurement: &v1beta1.Measurement{
			ObjectMeta: metav1.ObjectMeta{Name: "quorum-r1-hsha-read-1", Namespace: "ns", UID: "m", Labels: map[string]string{
				v1beta1.LabelExperiment: "quorum", v1beta1.LabelRun: "r", v1beta1.LabelServer: "hsha"}},
			Spec: v1beta1.MeasurementSpec{Pods: 2, Server: "hsha", ServerType: "hsha"},
		},
		Attempt:    3,
		Phase:      v1beta1.PhaseSpec{Name: "read", Parameters: map[string]string{"columns": "7"}},
		Image:      "r/ringside-stress:t",
		MeterImage: "r/ringside-operator:t",
		PullPolicy: corev1.PullNever,
		Endpoints: map[string][]string{"hsha": {"10.0.0.1:9160", "10.0.0.2:9160"}, "disruptor": {"10.0.0.1:9161", "10.0.0.2:9161"},
			"hsha-again": {"10.0.0.1:9160", "10.0.0.2:9160"}},
		ReplicationFactor: 3,
		StoreReleases:     []string{"hsha-r1-abc", "beside"},
	}
}

func TestJobRunsEachIndexOnceAndNeverAgain(t *testing.T) {
	job := BuildJob(order())
	assert.Equal(t, "quorum-r1-hsha-read-1-a3", job.Name)
	assert.Equal(t, "ns", job.Namespace)
	assert.Equal(t, batchv1.IndexedCompletion, *job.Spec.CompletionMode)
	assert.Equal(t, int32(2), *job.Spec.Completions)
	assert.Equal(t, int32(2), *job.Spec.Parallelism)
	assert.Zero(t, *job.Spec.BackoffLimit)
	assert.Equal(t, corev1.RestartPolicyNever, job.Spec.Template.Spec.RestartPolicy)
	assert.Equal(t, int64(70*60), *job.Spec.ActiveDeadlineSeconds, "the load's timeout, and ten minutes to start")
	assert.True(t, metav1.IsControlledBy(job, order().Measurement))
}

func environmentOf(container corev1.Container) map[string]string {
	env := map[string]string{}
	for _, variable := range container.Env {
		value := variable.Value
		if variable.ValueFrom != nil {
			value = "<" + variable.ValueFrom.FieldRef.FieldPath + ">"
		}
		env[variable.Name] = value
	}
	return env
}

func TestMeterIsToldWhoItIsAndTheToolWhereTheServerIs(t *testing.T) {
	containers := BuildJob(order()).Spec.Template.Spec.Containers
	assert.Equal(t, map[string]string{
		"RINGSIDE_NAMESPACE":   "<metadata.namespace>",
		"GOMEMLIMIT":           "469762048",
		"POD_NAME":             "<metadata.name>",
		"NODE_NAME":            "<spec.nodeName>",
		"RINGSIDE_MEASUREMENT": "quorum-r1-hsha-read-1",
		"RINGSIDE_ATTEMPT":     "3",
		"RINGSIDE_SCRATCH":     "/scratch",
		"RINGSIDE_SOCKET":      "/ringside/socket",
	}, environmentOf(containers[1]))
	assert.Equal(t, map[string]string{
		"RINGSIDE_SCRATCH":            "/scratch",
		"TMPDIR":                      "/scratch",
		"HOME":                        "/scratch",
		"RINGSIDE_ENDPOINTS":          "10.0.0.1:9160,10.0.0.2:9160",
		"RINGSIDE_REPLICATION_FACTOR": "3",
		"RINGSIDE_PARAM_COLUMN_SIZE":  "34",
		"RINGSIDE_PARAM_COLUMNS":      "7",
	}, environmentOf(containers[0]))
}

func TestLoadThatGoesRoundIsToldEveryServerAndHow(t *testing.T) {
	o := order()
	o.Experiment.Spec.Servers = []v1beta1.ServerSpec{{Name: "hsha"}, {Name: "hsha-again", Type: "hsha"}, {Name: "disruptor"}}
	o.Experiment.Spec.Baseline = "hsha"
	o.Measurement.Spec.Duration = &metav1.Duration{Duration: 40 * time.Second} // eight blocks of three windows, with lead-ins
	o.Measurement.Spec.Interleave = &v1beta1.Interleave{Window: metav1.Duration{Duration: 1500 * time.Millisecond}, Warmup: metav1.Duration{Duration: 10 * time.Second}, LeadIn: metav1.Duration{Duration: 125 * time.Millisecond}}
	o.Measurement.Spec.Arms = []v1beta1.Arm{{Server: "hsha"}, {Server: "hsha-again"}, {Server: "disruptor"}}
	env := environmentOf(BuildJob(o).Spec.Template.Spec.Containers[0])
	const arms = "hsha=10.0.0.1:9160,10.0.0.2:9160;hsha-again=10.0.0.1:9160,10.0.0.2:9160;disruptor=10.0.0.1:9161,10.0.0.2:9161"
	for name, want := range map[string]string{
		"RINGSIDE_ARMS":           arms,
		"RINGSIDE_INTERLEAVE":     "windows",
		"RINGSIDE_WINDOW_MILLIS":  "1500",
		"RINGSIDE_LEAD_IN_MILLIS": "125",
		"RINGSIDE_WARMUP_SECONDS": "10",
		"RINGSIDE_BASELINE":       "hsha",
	} {
		assert.Equal(t, want, env[name], name)
	}
	assert.Empty(t, env["RINGSIDE_RECONNECT_BLOCKS"], "connections stay")
	o.Measurement.Spec.Interleave.Reconnect = true
	assert.Equal(t, "2,4,6", environmentOf(BuildJob(o).Spec.Template.Spec.Containers[0])["RINGSIDE_RECONNECT_BLOCKS"])
	o.Measurement.Spec.Arms = append(o.Measurement.Spec.Arms, o.Measurement.Spec.Arms[0])
	assert.Equal(t, "2,4,6", environmentOf(BuildJob(o).Spec.Template.Spec.Containers[0])["RINGSIDE_RECONNECT_BLOCKS"], "a server that has two arms is one")
	o.Measurement.Spec.Arms = o.Measurement.Spec.Arms[:3]
	assert.NotContains(t, env, "RINGSIDE_ENDPOINTS")
	assert.NotContains(t, env, "RINGSIDE_COUNTERS", "of a store that does not tell what it used")
	o.Counters = []string{"10.0.0.1:9405", "10.0.0.2:9405"}
	assert.Equal(t, "10.0.0.1:9405,10.0.0.2:9405", environmentOf(BuildJob(o).Spec.Template.Spec.Containers[0])["RINGSIDE_COUNTERS"])
	assert.Equal(t, arms, Given(BuildJob(o)))
	assert.Equal(t, arms, Wanted(o.Measurement.Spec, o.Endpoints))
	o.Endpoints["disruptor"] = []string{"10.0.0.3:9161"}
	assert.NotEqual(t, arms, Wanted(o.Measurement.Spec, o.Endpoints), "a server that moved is seen")
}

func TestALoadThatSearchesForACapacityIsToldItsObjective(t *testing.T) {
	o := order()
	assert.NotContains(t, environmentOf(BuildJob(o).Spec.Template.Spec.Containers[0]), "RINGSIDE_CAPACITY_PERCENTILE")
	o.Measurement.Spec.Capacity = &v1beta1.CapacitySpec{
		Percentile: "99.9", Bound: metav1.Duration{Duration: 20 * time.Millisecond}, FailedMax: "0.3%", From: 500, To: 64000,
		Step: metav1.Duration{Duration: 2500 * time.Millisecond}, Precision: "5%",
	}
	env := environmentOf(BuildJob(o).Spec.Template.Spec.Containers[0])
	for name, want := range map[string]string{
		"RINGSIDE_CAPACITY_PERCENTILE":         "99.9",
		"RINGSIDE_CAPACITY_BOUND_MICROS":       "20000",
		"RINGSIDE_CAPACITY_FAILED_PERMILLE":    "3",
		"RINGSIDE_CAPACITY_FROM":               "500",
		"RINGSIDE_CAPACITY_TO":                 "64000",
		"RINGSIDE_CAPACITY_STEP_MILLIS":        "2500",
		"RINGSIDE_CAPACITY_PRECISION_PERMILLE": "50",
	} {
		assert.Equal(t, want, env[name], name)
	}
	o.Measurement.Spec.Capacity.To = 0
	assert.Empty(t, environmentOf(BuildJob(o).Spec.Template.Spec.Containers[0])["RINGSIDE_CAPACITY_TO"], "there is no end")
}

func TestALoadThatSearchesByTheQueueIsToldWhatMakesItAndWhoTells(t *testing.T) {
	o := order()
	o.Queue, o.Counters = "received-done", []string{"10.0.0.1:9405"}
	o.Measurement.Spec.Capacity = &v1beta1.CapacitySpec{By: v1beta1.ByLatency, Percentile: "99", Bound: metav1.Duration{Duration: time.Millisecond}, From: 500}
	env := environmentOf(BuildJob(o).Spec.Template.Spec.Containers[0])
	assert.NotContains(t, env, "RINGSIDE_CAPACITY_QUEUE")
	assert.NotContains(t, env, "RINGSIDE_COUNTERS", "by latency nobody asks the store anything else")
	o.Measurement.Spec.Capacity = &v1beta1.CapacitySpec{By: v1beta1.ByQueue, Percentile: "99", From: 500}
	env = environmentOf(BuildJob(o).Spec.Template.Spec.Containers[0])
	assert.Equal(t, "received-done", env["RINGSIDE_CAPACITY_QUEUE"])
	assert.Equal(t, "10.0.0.1:9405", env["RINGSIDE_COUNTERS"])
	assert.NotContains(t, env, "RINGSIDE_CAPACITY_BOUND_MICROS")
}

func TestMeterIsToldWhereTheStoreReportsItsCounters(t *testing.T) {
	o := order()
	o.Counters = []string{"10.0.0.1:9405", "10.0.0.2:9405"}
	containers := BuildJob(o).Spec.Template.Spec.Containers
	assert.Equal(t, "10.0.0.1:9405,10.0.0.2:9405", environmentOf(containers[1])["RINGSIDE_COUNTERS"])
	assert.NotContains(t, environmentOf(containers[0]), "RINGSIDE_COUNTERS", "the load itself does not ask")
	o.Counters = nil
	assert.NotContains(t, environmentOf(BuildJob(o).Spec.Template.Spec.Containers[1]), "RINGSIDE_COUNTERS", "of a store that is silent")
}

func TestTheWaitForCompactionsIsNoPartOfTheLoadsTimeout(t *testing.T) {
	o := order()
	o.Measurement.Spec.AwaitCompactions = &metav1.Duration{Duration: 30 * time.Minute}
	assert.Equal(t, int64(100*60), *BuildJob(o).Spec.ActiveDeadlineSeconds)
	o.Measurement.Spec.Duration = &metav1.Duration{Duration: 20 * time.Second}
	assert.Equal(t, int64(20+(5+10+30)*60), *BuildJob(o).Spec.ActiveDeadlineSeconds, "a load with a duration has a limit of its own")
}

func TestALoadUnderWhichNodesAreLostIsToldToGoOnWithTheOthers(t *testing.T) {
	o := order()
	assert.NotContains(t, environmentOf(BuildJob(o).Spec.Template.Spec.Containers[0]), "RINGSIDE_FAILOVER", "what a new connection costs is not what is measured")
	o.Measurement.Spec.Faults = []v1beta1.FaultSpec{{Kind: v1beta1.FaultKill}}
	assert.Equal(t, "true", environmentOf(BuildJob(o).Spec.Template.Spec.Containers[0])["RINGSIDE_FAILOVER"])
}

func TestTheLoadToolsContainerHasNoTokenAndCannotReachMeters(t *testing.T) {
	pod := BuildJob(order()).Spec.Template.Spec
	assert.False(t, *pod.AutomountServiceAccountToken)
	assert.False(t, *pod.ShareProcessNamespace)
	tokens := map[string]bool{}
	for _, volume := range pod.Volumes {
		tokens[volume.Name] = volume.Projected != nil || volume.Secret != nil || volume.HostPath != nil
	}
	for _, container := range append(pod.InitContainers, pod.Containers...) {
		for _, mount := range container.VolumeMounts {
			assert.Equal(t, container.Name == "meter" && mount.Name == accessVolumeName, tokens[mount.Name], "%s mounts %s", container.Name, mount.Name)
			if container.Name == Container && mount.Name == toolsVolume {
				assert.True(t, mount.ReadOnly, "the tool may replace neither the runner nor its socket")
			}
		}
	}
	assert.Equal(t, order().Image, pod.Containers[0].Image)
	assert.Equal(t, order().MeterImage, pod.Containers[1].Image, "what has the token is ours")
}

func TestStoreWithoutReplicasLeavesTheFactorOut(t *testing.T) {
	o := order()
	o.ReplicationFactor = 0
	for _, variable := range BuildJob(o).Spec.Template.Spec.Containers[0].Env {
		assert.NotEqual(t, "RINGSIDE_REPLICATION_FACTOR", variable.Name)
	}
}

func TestLoadPodRunsTheToolAndMeterWhereTheLoadBelongs(t *testing.T) {
	pod := BuildJob(order()).Spec.Template.Spec
	assert.Equal(t, "ringside-meter", pod.ServiceAccountName)
	for _, container := range append(pod.InitContainers, pod.Containers...) {
		assert.Equal(t, corev1.PullNever, container.ImagePullPolicy)
	}
	assert.Equal(t, []string{"/meter", "install", "/ringside"}, pod.InitContainers[0].Command)
	assert.Equal(t, []string{"/ringside/meter", "tool", "/ringside/socket", "--", "/load"}, pod.Containers[0].Command)
	assert.Equal(t, []string{"/meter", "measure"}, pod.Containers[1].Command)
	assert.Equal(t, "metrics", pod.Containers[1].Ports[0].Name)
	assert.Equal(t, map[string]string{"role": "load"}, pod.NodeSelector)
	assert.Len(t, pod.Tolerations, 1)
}

func TestLoadPodCarriesTheLabelsOfItsMeasurement(t *testing.T) {
	labels := BuildJob(order()).Spec.Template.Labels
	assert.Equal(t, map[string]string{
		"ringside.dev/experiment":          "quorum",
		"ringside.dev/run":                 "r",
		"ringside.dev/server":              "hsha",
		"ringside.dev/measurement":         "quorum-r1-hsha-read-1",
		"ringside.dev/release-hsha-r1-abc": "true",
		"ringside.dev/release-beside":      "true",
		"ringside.dev/scrape":              "true",
		"app.kubernetes.io/component":      "load",
	}, labels)
	assert.NotContains(t, order().Measurement.Labels, "ringside.dev/scrape", "the measurement's own labels are left alone")
}

func TestLoadKeepsOffTheStoresNodesAsStrictlyAsTheGateAsks(t *testing.T) {
	for mode, strict := range map[v1beta1.GateMode]bool{"": true, v1beta1.GateEnforce: true, v1beta1.GateWarn: false, v1beta1.GateOff: false} {
		o := order()
		o.Experiment.Spec.Gates.Colocation = mode
		apart := BuildJob(o).Spec.Template.Spec.Affinity.PodAntiAffinity
		if strict {
			assert.Equal(t, []string{"hsha-r1-abc", "beside"}, apart.RequiredDuringSchedulingIgnoredDuringExecution[0].LabelSelector.MatchExpressions[0].Values)
			continue
		}
		assert.Empty(t, apart.RequiredDuringSchedulingIgnoredDuringExecution, mode)
		assert.Len(t, apart.PreferredDuringSchedulingIgnoredDuringExecution, 2, mode)
	}
}

// expanded expands a variable's value as the kubelet does: $(NAME) of an earlier variable, and $$ for $ (EnvVar.value in the API
// reference).
func expanded(value string, known map[string]string) string {
	var out strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] != '$' || i+1 == len(value) {
			out.WriteByte(value[i])
			continue
		}
		if value[i+1] == '$' {
			out.WriteByte('$')
			i++
			continue
		}
		end := strings.IndexByte(value[i:], ')')
		if value[i+1] != '(' || end < 0 {
			out.WriteByte('$')
			continue
		}
		name := value[i+2 : i+end]
		text, is := known[name]
		if !is {
			text = value[i : i+end+1]
		}
		out.WriteString(text)
		i += end
	}
	return out.String()
}

func TestWhatAPersonWroteReachesTheLoadByteForByte(t *testing.T) {
	o := order()
	texts := map[string]string{
		"query":     `SELECT "a", 'b' FROM t WHERE k = $1; -- ü $(HOSTNAME)`,
		"doubled":   "$$5",
		"reference": "$(RINGSIDE_ENDPOINTS) and $$(RINGSIDE_ENDPOINTS)",
		"many":      "$$$(RINGSIDE_SCRATCH)$",
		"lines":     "a\n\tb \\ `c` ${HOME}",
	}
	o.Experiment.Spec.Load.Parameters, o.Phase.Parameters = texts, nil
	known := map[string]string{}
	for _, variable := range BuildJob(o).Spec.Template.Spec.Containers[0].Env {
		known[variable.Name] = expanded(variable.Value, known)
	}
	for name, text := range texts {
		assert.Equal(t, text, known[orders.ParamName(name)], name)
	}
	assert.Equal(t, "10.0.0.1:9160,10.0.0.2:9160", known["RINGSIDE_ENDPOINTS"])
}

func TestEveryContainerThatIsNotTheLoadsHasALimitAndEveryFolderOne(t *testing.T) {
	pod := BuildJob(order()).Spec.Template.Spec
	for _, container := range append(pod.InitContainers, pod.Containers...) {
		if container.Name == Container {
			assert.Equal(t, order().Experiment.Spec.Load.Resources, container.Resources, "the load's are the experiment's")
			continue
		}
		limit, request := container.Resources.Limits.Memory(), container.Resources.Requests.Memory()
		assert.True(t, limit.Value() > 0 && request.Value() > 0 && request.Cmp(*limit) < 0, "%s: request %s, limit %s", container.Name, request, limit)
		assert.Zero(t, container.Resources.Limits.Cpu().Value(), container.Name)
	}
	limits := map[string]int64{}
	for _, volume := range pod.Volumes {
		if volume.EmptyDir != nil {
			limits[volume.Name] = volume.EmptyDir.SizeLimit.Value()
		}
	}
	assert.Equal(t, map[string]int64{"ringside": 256 << 20, "scratch": 1<<30 + 3600*320<<10}, limits, "a log grows with the hour that the load may take")
}

func TestLoadPodsTakeWhatAMeshAndASchedulerAreTold(t *testing.T) {
	o := order()
	load := &o.Experiment.Spec.Load
	load.PodAnnotations = v1beta1.PodAnnotations{"sidecar.istio.io/inject": "false", "karpenter.sh/do-not-disrupt": "false"}
	load.PodLabels = v1beta1.PodLabels{"example.com/team": "storage", "ringside.dev/measurement": "another", "app.kubernetes.io/component": "store"}
	load.PriorityClassName = "batch"
	template := BuildJob(o).Spec.Template
	assert.Equal(t, map[string]string{"sidecar.istio.io/inject": "false", "karpenter.sh/do-not-disrupt": "false", "cluster-autoscaler.kubernetes.io/safe-to-evict": "false"}, template.Annotations)
	assert.Equal(t, v1beta1.Undisturbed(), BuildJob(order()).Spec.Template.Annotations, "an autoscaler does not evict the pod")
	assert.Equal(t, "storage", template.Labels["example.com/team"])
	assert.Equal(t, "quorum-r1-hsha-read-1", template.Labels["ringside.dev/measurement"], "ours cannot be replaced")
	assert.Equal(t, "load", template.Labels["app.kubernetes.io/component"])
	assert.Equal(t, "batch", template.Spec.PriorityClassName)
	assert.NotContains(t, BuildJob(o).Labels, "example.com/team", "the Job is Ringside's")
}
