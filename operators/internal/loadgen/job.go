package loadgen

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/plan"
)

const (
	// ServiceAccount is the service account of load pods, which charts/ringside creates.
	ServiceAccount = "ringside-meter"
	// Container is the container of the load tool. It has no access to Kubernetes.
	Container = "load"
	// meterContainer measures the tool, and delivers the result with the only token of the pod.
	meterContainer = "meter"
	// installContainer copies meter into a volume of the load tool's container.
	installContainer = "install"
	// Component is the component label of a load pod.
	Component = "load"

	// startupAllowance is the time for scheduling, image pulls and the start barrier. The operator ends a load that takes too long from its start on;
	// the Job's deadline is for a time without an operator.
	startupAllowance = 10 * time.Minute
	// timeToLive is the time for which an ended Job is kept. By then, the Measurement has everything of value.
	timeToLive = time.Hour
	// gracePeriod is the time for meter to end the tool and report it.
	gracePeriod = 30 * time.Second

	toolsVolume   = "ringside"
	toolsPath     = "/ringside"
	scratchVolume = "scratch"
	scratchPath   = "/scratch"
	socketPath    = toolsPath + "/socket"
)

// JobOrder describes one attempt of a measurement.
type JobOrder struct {
	Experiment  *v1beta1.Experiment
	Measurement *v1beta1.Measurement
	Attempt     int32
	// Phase of the measurement, for its parameters.
	Phase v1beta1.PhaseSpec
	// Image of the load, and image of the operator, which contains meter; full references.
	Image      string
	MeterImage string
	PullPolicy corev1.PullPolicy
	// Endpoints, host:port, by the names of the servers in the experiment.
	Endpoints map[string][]string
	// Counters are the addresses of the store's pods for their counters, host:port; empty if they report none.
	Counters []string
	// Queue is the formula of the store's queue from its counters; empty if unknown.
	Queue string
	// Killers are the addresses at which the store's pods accept the kill command, host:port; empty unless all do.
	Killers []string
	// Profilers are the addresses at which the store's pods provide profiles, pod=host:port.
	Profilers []string
	// ReplicationFactor of the store; 0 if there is none.
	ReplicationFactor int64
	// StoreReleases are the store's releases, which the load may drive, and whose nodes it avoids.
	StoreReleases []string
}

// BuildJob returns the Job, with as many pods as the load has. No pod is started twice.
func BuildJob(order JobOrder) *batchv1.Job {
	spec := order.Measurement.Spec
	load := order.Experiment.Spec.Load
	labels := Labels(order.Measurement)
	timeout := plan.Limit(load, &spec) + startupAllowance
	if spec.AwaitCompactions != nil {
		timeout += spec.AwaitCompactions.Duration
	}
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Name:      plan.JobName(order.Measurement.Name, order.Attempt),
			Namespace: order.Measurement.Namespace,
			Labels:    labels,
			OwnerReferences: []metav1.OwnerReference{
				*metav1.NewControllerRef(order.Measurement, v1beta1.GroupVersion.WithKind("Measurement")),
			},
		},
		Spec: batchv1.JobSpec{
			CompletionMode:          ptr.To(batchv1.IndexedCompletion),
			Completions:             ptr.To(spec.Pods),
			Parallelism:             ptr.To(spec.Pods),
			BackoffLimit:            ptr.To(int32(0)),
			ActiveDeadlineSeconds:   ptr.To(int64(timeout.Seconds())),
			TTLSecondsAfterFinished: ptr.To(int32(timeToLive.Seconds())),
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: podLabels(load.PodLabels, labels, order.StoreReleases), Annotations: podAnnotations(load.PodAnnotations)},
				Spec:       podSpec(order),
			},
		},
	}
}

// Labels returns the labels of a measurement's load Job and its pods.
func Labels(measurement *v1beta1.Measurement) map[string]string {
	labels := measurement.ObjectLabels()
	labels[v1beta1.LabelComponent] = Component
	return labels
}

// podLabels returns the requested labels and Ringside's own.
func podLabels(asked v1beta1.PodLabels, labels map[string]string, releases []string) map[string]string {
	out := texts(asked)
	maps.Copy(out, labels)
	for _, release := range releases {
		out[v1beta1.LabelReleasePrefix+release] = "true"
	}
	out[v1beta1.LabelScrape] = "true"
	return out
}

// podAnnotations returns the requested annotations and those that keep autoscalers away.
func podAnnotations(asked v1beta1.PodAnnotations) map[string]string {
	out := v1beta1.Undisturbed()
	maps.Copy(out, texts(asked))
	return out
}

// texts converts the values of a map of the API to strings.
func texts[V ~string](asked map[string]V) map[string]string {
	out := make(map[string]string, len(asked)+2)
	for name, value := range asked {
		out[name] = string(value)
	}
	return out
}

func podSpec(order JobOrder) corev1.PodSpec {
	load := order.Experiment.Spec.Load
	return corev1.PodSpec{
		RestartPolicy:                 corev1.RestartPolicyNever,
		ServiceAccountName:            ServiceAccount,
		AutomountServiceAccountToken:  ptr.To(false), // only meter's container mounts a token
		TerminationGracePeriodSeconds: ptr.To(int64(gracePeriod.Seconds())),
		NodeSelector:                  load.NodeSelector,
		Tolerations:                   load.Tolerations,
		PriorityClassName:             load.PriorityClassName,
		Affinity:                      affinity(order),
		EnableServiceLinks:            ptr.To(false),
		ShareProcessNamespace:         ptr.To(false), // otherwise the load tool could read meter's files
		SecurityContext: &corev1.PodSecurityContext{
			RunAsNonRoot:   ptr.To(true),
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		InitContainers: []corev1.Container{{
			Name:            installContainer,
			Image:           order.MeterImage,
			ImagePullPolicy: order.PullPolicy,
			Command:         []string{"/meter", "install", toolsPath},
			Resources:       installResources(),
			SecurityContext: restricted(),
			VolumeMounts:    []corev1.VolumeMount{{Name: toolsVolume, MountPath: toolsPath}},
		}},
		// In this order, because meter waits for the load tool's container only as long as one takes to start whose image is present.
		Containers: []corev1.Container{tool(order), meter(order)},
		Volumes:    []corev1.Volume{emptyVolume(toolsVolume, toolsBytes), emptyVolume(scratchVolume, scratchLimit(order)), accessVolume()},
	}
}

// tool returns the container of the load tool. It shares with meter only the scratch folder, and a folder that it cannot write.
func tool(order JobOrder) corev1.Container {
	return corev1.Container{
		Name:                     Container,
		Image:                    order.Image,
		ImagePullPolicy:          order.PullPolicy,
		Command:                  append([]string{toolsPath + "/meter", "tool", socketPath, "--"}, command(order.Measurement.Spec)...),
		Env:                      literal(toolEnvironment(order)),
		Resources:                order.Experiment.Spec.Load.Resources,
		SecurityContext:          restricted(),
		TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
		VolumeMounts: []corev1.VolumeMount{
			{Name: toolsVolume, MountPath: toolsPath, ReadOnly: true},
			{Name: scratchVolume, MountPath: scratchPath},
		},
	}
}

// command returns the command of the load. An idle phase runs meter's own in the same image, so that everything else is equal to a load.
func command(spec v1beta1.MeasurementSpec) []string {
	if spec.Idle {
		return []string{toolsPath + "/meter", "idle"}
	}
	return []string{"/load"}
}

func meter(order JobOrder) corev1.Container {
	return corev1.Container{
		Name:            meterContainer,
		Image:           order.MeterImage,
		ImagePullPolicy: order.PullPolicy,
		Command:         []string{"/meter", "measure"},
		Env:             literal(meterEnvironment(order)),
		Ports: []corev1.ContainerPort{{
			Name: "metrics", ContainerPort: orders.MetricsPort, Protocol: corev1.ProtocolTCP,
		}},
		Resources:                meterResources(),
		SecurityContext:          restricted(),
		TerminationMessagePolicy: corev1.TerminationMessageFallbackToLogsOnError,
		VolumeMounts: []corev1.VolumeMount{
			{Name: toolsVolume, MountPath: toolsPath},
			{Name: scratchVolume, MountPath: scratchPath},
			{Name: accessVolumeName, MountPath: accessPath, ReadOnly: true},
		},
	}
}

func restricted() *corev1.SecurityContext {
	return &corev1.SecurityContext{
		AllowPrivilegeEscalation: ptr.To(false),
		ReadOnlyRootFilesystem:   ptr.To(true),
		Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
	}
}

// affinity spreads load pods and keeps them off the store's nodes. This is required if the Colocation gate would invalidate the
// measurement, else preferred.
func affinity(order JobOrder) *corev1.Affinity {
	const perNode = "kubernetes.io/hostname"
	storePods := corev1.PodAffinityTerm{
		TopologyKey: perNode,
		LabelSelector: &metav1.LabelSelector{
			MatchLabels:      map[string]string{v1beta1.LabelComponent: v1beta1.StoreComponent},
			MatchExpressions: []metav1.LabelSelectorRequirement{{Key: v1beta1.LabelInstance, Operator: metav1.LabelSelectorOpIn, Values: order.StoreReleases}},
		},
	}
	loadPods := corev1.PodAffinityTerm{
		TopologyKey: perNode,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{
			v1beta1.LabelMeasurement: order.Measurement.Name,
		}},
	}
	apart := &corev1.PodAntiAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{
		{Weight: 50, PodAffinityTerm: loadPods},
	}}
	if order.Experiment.Spec.Gates.Colocation.Or(v1beta1.GateEnforce) == v1beta1.GateEnforce {
		apart.RequiredDuringSchedulingIgnoredDuringExecution = []corev1.PodAffinityTerm{storePods}
	} else {
		apart.PreferredDuringSchedulingIgnoredDuringExecution = append(apart.PreferredDuringSchedulingIgnoredDuringExecution,
			corev1.WeightedPodAffinityTerm{Weight: 100, PodAffinityTerm: storePods})
	}
	return &corev1.Affinity{PodAntiAffinity: apart}
}

// meterEnvironment returns what meter cannot read from the Measurement: its identity, and where to meet the load tool.
func meterEnvironment(order JobOrder) []corev1.EnvVar {
	env := []corev1.EnvVar{
		fromField(orders.EnvNamespace, "metadata.namespace"),
		fromField(orders.EnvPod, "metadata.name"),
		fromField(orders.EnvNode, "spec.nodeName"),
		{Name: orders.EnvMeasurement, Value: order.Measurement.Name},
		{Name: orders.EnvAttempt, Value: strconv.Itoa(int(order.Attempt))},
		{Name: orders.EnvScratch, Value: scratchPath},
		{Name: orders.EnvSocket, Value: socketPath},
		{Name: "GOMEMLIMIT", Value: strconv.Itoa(meterHeap)},
	}
	if order.Measurement.Spec.Profile != nil {
		env = append(env, corev1.EnvVar{Name: orders.EnvProfilers, Value: strings.Join(order.Profilers, ",")})
	}
	return append(env, told(orders.EnvCounters, order.Counters)...)
}

// toolEnvironment returns what is known of the load before its start. Meter adds the pod's share at the start.
func toolEnvironment(order JobOrder) []corev1.EnvVar {
	env := []corev1.EnvVar{
		{Name: orders.EnvScratch, Value: scratchPath},
		{Name: "TMPDIR", Value: scratchPath},
		{Name: "HOME", Value: scratchPath},
	}
	env = append(env, targets(order.Measurement.Spec, order.Endpoints)...)
	env = append(env, search(order.Measurement.Spec.Capacity, order.Queue)...)
	env = append(env, recovery(order.Measurement.Spec.Recovery, order.Killers)...)
	env = append(env, failover(order.Measurement.Spec.Faults)...)
	env = append(env, rounds(order.Measurement.Spec, order.Experiment.Spec.BaselineName())...)
	if readsCounters(order.Measurement.Spec) {
		env = append(env, told(orders.EnvCounters, order.Counters)...)
	}
	if order.ReplicationFactor > 0 {
		env = append(env, corev1.EnvVar{Name: orders.EnvReplicationFactor, Value: strconv.FormatInt(order.ReplicationFactor, 10)})
	}
	parameters := map[string]string{}
	maps.Copy(parameters, order.Experiment.Spec.Load.Parameters)
	maps.Copy(parameters, order.Phase.Parameters)
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		env = append(env, corev1.EnvVar{Name: orders.ParamName(name), Value: parameters[name]})
	}
	return env
}

// told returns the variable with the addresses of the store's counters; none if there are none.
func told(variable string, counters []string) []corev1.EnvVar {
	if len(counters) == 0 {
		return nil
	}
	return []corev1.EnvVar{{Name: variable, Value: strings.Join(counters, ",")}}
}

// literal escapes values so that they reach the container unchanged: the kubelet would expand $(NAME), and reduce $$ to $.
func literal(env []corev1.EnvVar) []corev1.EnvVar {
	for i := range env {
		env[i].Value = strings.ReplaceAll(env[i].Value, "$", "$$")
	}
	return env
}

func fromField(name, path string) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: path}}}
}
