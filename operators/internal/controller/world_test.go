package controller_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/faults/helper"
	"ringside.dev/ringside/operators/internal/loadgen"
	"ringside.dev/ringside/operators/internal/measure"
)

// world simulates what a bare API server lacks: the controllers of StatefulSets, Jobs and EndpointSlices, the kubelet,
// the garbage collector, and meter with a load that ends at once.
type world struct {
	t         *testing.T
	client    client.Client
	namespace string
	now       func() time.Time

	// loads counts completed loads per measurement; helped counts executed faults per helper.
	loads, helped map[string]int
	// The following fields make the world misbehave until a test resets them.
	storeNeverReady bool
	// helpless is the reason why helpers of faults fail.
	helpless string
	// upgraded are the store pods that became new, by an upgrade. They do not if they are faithless.
	upgraded     map[string]bool
	faithless    bool
	imageMissing bool
	// imageToldLate makes nodes report the image of a pod only when the pod has ended.
	imageToldLate bool
	// holdEndingPods keeps pods of loads in their grace period until a test resets it.
	holdEndingPods bool
	// elsewhere is the server whose store pods are on other nodes than those of the others.
	elsewhere string
	// noVolumes prevents the creation of volumes, so that the store's pods cannot be scheduled.
	noVolumes bool
	// noPods is the reason why controllers of workloads cannot create pods.
	noPods string
	// settings are those in the proofs, as JSON; without any, the proofs report none.
	settings string
	// proof replaces the proof lines.
	proof *string
	// logsRead counts the logs opened, per pod.
	logsRead map[string]int
	holdLoad bool
	// noise makes the number of answered operations of each server vary from round to round.
	noise    bool
	failLoad int32
	class    string
	// spoil modifies the part that a load pod delivers, and returns how much later than announced it began.
	spoil func(*v1beta1.Measurement, *v1beta1.Part) (late time.Duration)
	// loadPods were created for jobs.
	loadPods map[string]bool
	// stranger is a container that is injected into every load pod, as a mesh does, and never ends.
	stranger string
	// mute makes loads succeed without delivering a result.
	mute bool
	// made counts the pods that were created, so that each has its own host.
	made int
	// seen has the lists of this turn by type. Only the world writes during a turn; what it writes is listed again.
	seen map[string]client.ObjectList
}

// loadImageID is the image that nodes report for every container.
var loadImageID = "registry.example/ledger@sha256:" + strings.Repeat("a", 64)

func newWorld(t *testing.T, c client.WithWatch, namespace string, now func() time.Time) *world {
	w := &world{t: t, namespace: namespace, now: now, loads: map[string]int{}, helped: map[string]int{}, logsRead: map[string]int{}, loadPods: map[string]bool{}, upgraded: map[string]bool{}, class: "test.Disruptor"}
	w.client = interceptor.NewClient(c, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.CreateOption) error {
			w.forget(o)
			return c.Create(ctx, o, options...)
		},
		Update: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.UpdateOption) error {
			w.forget(o)
			return c.Update(ctx, o, options...)
		},
		Delete: func(ctx context.Context, c client.WithWatch, o client.Object, options ...client.DeleteOption) error {
			w.forget(o)
			return c.Delete(ctx, o, options...)
		},
		SubResourceUpdate: func(ctx context.Context, c client.Client, name string, o client.Object, options ...client.SubResourceUpdateOption) error {
			w.forget(o)
			return c.SubResource(name).Update(ctx, o, options...)
		},
	})
	return w
}

// turn lets the cluster act once.
func (w *world) turn(ctx context.Context) {
	w.seen = map[string]client.ObjectList{}
	defer func() { w.seen = nil }()
	w.collectGarbage(ctx)
	w.runStatefulSets(ctx)
	w.runHelpers(ctx)
	w.fillEndpoints(ctx)
	w.runJobs(ctx)
}

// forget drops the list of the object's kind.
func (w *world) forget(o client.Object) { delete(w.seen, fmt.Sprintf("%TList", o)) }

// list lists the objects of a kind in the namespace. During a turn, the lists without options are kept.
func list[T client.ObjectList](ctx context.Context, w *world, into T, options ...client.ListOption) T {
	kind := fmt.Sprintf("%T", into)
	if kept, is := w.seen[kind].(T); is && len(options) == 0 {
		return kept
	}
	require.NoError(w.t, w.client.List(ctx, into, append(options, client.InNamespace(w.namespace))...))
	if w.seen != nil && len(options) == 0 {
		w.seen[kind] = into
	}
	return into
}

func (w *world) collectGarbage(ctx context.Context) {
	alive := map[types.UID]bool{}
	for _, o := range list(ctx, w, &v1beta1.ExperimentList{}).Items {
		alive[o.UID] = true
	}
	for _, o := range list(ctx, w, &v1beta1.MeasurementList{}).Items {
		w.deleteOrphan(ctx, &o, alive)
	}
	for _, o := range list(ctx, w, &v1beta1.MeasurementPartList{}).Items {
		if !alive[o.OwnerReferences[0].UID] {
			require.NoError(w.t, client.IgnoreNotFound(w.client.Delete(ctx, &o)))
		}
	}
	for _, o := range list(ctx, w, &appsv1.StatefulSetList{}).Items {
		w.deleteOrphan(ctx, &o, alive)
	}
	for _, o := range list(ctx, w, &batchv1.JobList{}).Items {
		if o.DeletionTimestamp != nil {
			o.Finalizers = nil
			_ = w.client.Update(ctx, &o)
			continue
		}
		w.deleteOrphan(ctx, &o, alive)
	}
	for _, o := range list(ctx, w, &corev1.PodList{}).Items {
		if w.holdEndingPods && o.Labels["app.kubernetes.io/component"] == "load" {
			continue
		}
		w.deleteOrphan(ctx, &o, alive)
	}
	for _, o := range list(ctx, w, &corev1.PersistentVolumeClaimList{}).Items {
		if o.DeletionTimestamp != nil && len(o.Finalizers) > 0 {
			o.Finalizers = nil
			require.NoError(w.t, w.client.Update(ctx, &o))
		}
	}
}

// deleteOrphan deletes an object whose owner is gone or is being deleted, unless it has other owners.
func (w *world) deleteOrphan(ctx context.Context, o client.Object, alive map[types.UID]bool) {
	owner := metav1.GetControllerOf(o)
	if (owner != nil && !alive[owner.UID]) || o.GetDeletionTimestamp() != nil {
		require.NoError(w.t, client.IgnoreNotFound(w.client.Delete(ctx, o, client.GracePeriodSeconds(0))))
		return
	}
	alive[o.GetUID()] = true
}

func (w *world) runStatefulSets(ctx context.Context) {
	sets := list(ctx, w, &appsv1.StatefulSetList{}).Items
	if len(sets) == 0 {
		return
	}
	claims, pods := map[string]bool{}, map[string]*corev1.Pod{}
	for _, claim := range list(ctx, w, &corev1.PersistentVolumeClaimList{}).Items {
		claims[claim.Name] = true
	}
	for _, pod := range list(ctx, w, &corev1.PodList{}).Items {
		pods[pod.Name] = &pod
	}
	for _, set := range sets {
		if set.DeletionTimestamp != nil {
			continue
		}
		ready := int32(0)
		for i := range *set.Spec.Replicas {
			for _, template := range set.Spec.VolumeClaimTemplates {
				if name := fmt.Sprintf("%s-%s-%d", template.Name, set.Name, i); !claims[name] {
					w.makeClaim(ctx, set, template, name)
				}
			}
			name := fmt.Sprintf("%s-%d", set.Name, i)
			pod := pods[name]
			if pod == nil {
				pod = w.makePod(ctx, name, set.Spec.Template, *metav1.NewControllerRef(&set, appsv1.SchemeGroupVersion.WithKind("StatefulSet")), fmt.Sprintf("node%d", i+1))
			}
			if podReady(pod) {
				ready++
			}
		}
		if w.storeNeverReady {
			ready = 0
		}
		status := appsv1.StatefulSetStatus{ObservedGeneration: set.Generation, Replicas: *set.Spec.Replicas, ReadyReplicas: ready, UpdatedReplicas: ready}
		if !equality.Semantic.DeepEqual(set.Status, status) {
			set.Status = status
			require.NoError(w.t, w.client.Status().Update(ctx, &set))
		}
	}
}

func (w *world) makeClaim(ctx context.Context, set appsv1.StatefulSet, template corev1.PersistentVolumeClaim, name string) {
	all := map[string]string{}
	maps.Copy(all, template.Labels)
	maps.Copy(all, set.Spec.Selector.MatchLabels)
	require.NoError(w.t, w.client.Create(ctx, &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.namespace, Labels: all},
		Spec:       template.Spec,
	}))
}

// pod returns the named pod, or nil if there is none.
func (w *world) pod(ctx context.Context, name string) *corev1.Pod {
	pod := &corev1.Pod{}
	err := w.client.Get(ctx, client.ObjectKey{Namespace: w.namespace, Name: name}, pod)
	if apierrors.IsNotFound(err) {
		return nil
	}
	require.NoError(w.t, err)
	return pod
}

// makePod creates a pod that runs at once, unless the world misbehaves.
func (w *world) makePod(ctx context.Context, name string, template corev1.PodTemplateSpec, owner metav1.OwnerReference, node string) *corev1.Pod {
	w.made++
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.namespace, Labels: template.Labels, Annotations: template.Annotations,
			OwnerReferences: []metav1.OwnerReference{owner}},
		Spec: template.Spec,
	}
	pod.Spec.NodeName = node
	if w.elsewhere != "" && pod.Labels["type"] == w.elsewhere && pod.Labels["app.kubernetes.io/component"] == v1beta1.StoreComponent {
		pod.Spec.NodeName = "other-" + node
	}
	pod.Spec.ServiceAccountName = ""
	if w.noVolumes && pod.Labels["app.kubernetes.io/component"] == v1beta1.StoreComponent {
		pod.Spec.NodeName = ""
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data-" + name}}})
		require.NoError(w.t, w.client.Create(ctx, pod))
		return pod
	}
	require.NoError(w.t, w.client.Create(ctx, pod))
	status := corev1.ContainerStatus{Name: pod.Spec.Containers[0].Name, Image: pod.Spec.Containers[0].Image, Ready: true,
		ImageID: loadImageID,
		State:   corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}
	pod.Status = corev1.PodStatus{Phase: corev1.PodRunning, PodIP: fmt.Sprintf("10.0.%d.%d", w.made/250, w.made%250+1),
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(w.now())}}}
	if w.imageToldLate && status.Name == loadgen.Container {
		status.ImageID = ""
	}
	if w.imageMissing {
		pod.Status.Phase, pod.Status.Conditions = corev1.PodPending, nil
		status.Ready, status.ImageID = false, ""
		status.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImageNeverPull", Message: "it is not present"}}
	}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{status}
	require.NoError(w.t, w.client.Status().Update(ctx, pod))
	return pod
}

// runHelpers runs the helpers of faults in pods. Each ends and reports when its time is over.
func (w *world) runHelpers(ctx context.Context) {
	for _, pod := range list(ctx, w, &corev1.PodList{}).Items {
		for _, container := range pod.Spec.EphemeralContainers {
			order, err := helper.ParseArgs(container.Args)
			require.NoError(w.t, err)
			if over := order.At.Add(order.For); w.now().Before(over) || helper.Ended(&pod, container.Name) != nil {
				continue
			}
			w.helped[container.Name]++
			if order.Task == v1beta1.TaskUpgrade && w.helpless == "" {
				w.upgraded[pod.Name] = !w.faithless
				pod.Status.ContainerStatuses[0].RestartCount++
				pod.Status.Conditions[0].LastTransitionTime = metav1.NewTime(w.now())
			}
			report := helper.Report{BeganAt: order.At, UndoneAt: order.At.Add(order.For), Error: w.helpless}
			pod.Status.EphemeralContainerStatuses = append(pod.Status.EphemeralContainerStatuses, corev1.ContainerStatus{Name: container.Name,
				State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Message: report.String()}}})
			require.NoError(w.t, w.client.Status().Update(ctx, &pod))
		}
	}
}

func podReady(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp == nil && slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

func (w *world) fillEndpoints(ctx context.Context) {
	present := map[string]*discoveryv1.EndpointSlice{}
	for _, slice := range list(ctx, w, &discoveryv1.EndpointSliceList{}).Items {
		present[slice.Name] = &slice
	}
	services := list(ctx, w, &corev1.ServiceList{}).Items
	var pods []corev1.Pod
	if len(services) > 0 {
		pods = list(ctx, w, &corev1.PodList{}).Items
	}
	for _, service := range services {
		slice := w.endpointsOf(service, pods)
		switch old := present[slice.Name]; {
		case old == nil:
			require.NoError(w.t, w.client.Create(ctx, slice))
		case !equality.Semantic.DeepEqual(old.Endpoints, slice.Endpoints):
			old.Endpoints = slice.Endpoints
			require.NoError(w.t, w.client.Update(ctx, old))
		}
		delete(present, slice.Name)
	}
	for _, slice := range present {
		require.NoError(w.t, client.IgnoreNotFound(w.client.Delete(ctx, slice)))
	}
}

func (w *world) endpointsOf(service corev1.Service, pods []corev1.Pod) *discoveryv1.EndpointSlice {
	meta := maps.Clone(service.Labels)
	meta[discoveryv1.LabelServiceName] = service.Name
	slice := &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Name: service.Name, Namespace: w.namespace, Labels: meta},
		AddressType: discoveryv1.AddressTypeIPv4,
	}
	for _, port := range service.Spec.Ports {
		slice.Ports = append(slice.Ports, discoveryv1.EndpointPort{Name: ptr.To(port.Name), Port: ptr.To(port.Port)})
	}
	selector := labels.SelectorFromSet(service.Spec.Selector)
	for _, pod := range pods {
		if pod.Status.PodIP == "" || !selector.Matches(labels.Set(pod.Labels)) {
			continue
		}
		slice.Endpoints = append(slice.Endpoints, discoveryv1.Endpoint{
			Addresses: []string{pod.Status.PodIP}, Conditions: discoveryv1.EndpointConditions{Ready: ptr.To(podReady(&pod) && !w.storeNeverReady)}})
	}
	slices.SortFunc(slice.Endpoints, func(a, b discoveryv1.Endpoint) int { return strings.Compare(a.Addresses[0], b.Addresses[0]) })
	return slice
}

func (w *world) runJobs(ctx context.Context) {
	for _, job := range list(ctx, w, &batchv1.JobList{}).Items {
		if job.Labels[v1beta1.LabelMeasurement] == "" || job.DeletionTimestamp != nil || slices.ContainsFunc(job.Status.Conditions, func(c batchv1.JobCondition) bool { return c.Status == corev1.ConditionTrue }) {
			continue
		}
		w.runJob(ctx, &job)
	}
}

func (w *world) runJob(ctx context.Context, job *batchv1.Job) {
	measurement := &v1beta1.Measurement{}
	require.NoError(w.t, w.client.Get(ctx, client.ObjectKey{Namespace: w.namespace, Name: job.Labels[v1beta1.LabelMeasurement]}, measurement))
	template := job.Spec.Template
	template.Labels = maps.Clone(template.Labels)
	template.Labels[batchv1.ControllerUidLabel] = string(job.UID)
	if w.stranger != "" {
		template.Spec.Containers = append(slices.Clone(template.Spec.Containers), corev1.Container{Name: w.stranger, Image: "registry.example/mesh"})
	}
	if w.noPods != "" {
		w.tell(ctx, job, "FailedCreate", w.noPods)
		return
	}
	done := 0
	for index := range *job.Spec.Completions {
		name := loadPodName(job, index)
		pod := w.pod(ctx, name)
		if pod == nil && w.loadPods[name] {
			w.endJob(ctx, job, batchv1.JobFailed, "BackoffLimitExceeded") // a lost pod is not replaced
			return
		}
		w.loadPods[name] = true
		if pod == nil {
			owner := *metav1.NewControllerRef(job, batchv1.SchemeGroupVersion.WithKind("Job"))
			pod = w.makePod(ctx, name, template, owner, fmt.Sprintf("load%d", index+1))
		}
		if w.imageMissing {
			continue
		}
		if w.failLoad != 0 {
			w.writePart(ctx, measurement, v1beta1.Part{Index: index, State: v1beta1.PartFailed, Pod: name, Message: lastWords})
			w.endPod(ctx, name, w.failLoad)
			if w.stranger == "" {
				w.endJob(ctx, job, batchv1.JobFailed, "BackoffLimitExceeded")
			}
			return
		}
		if loadgen.Ended(pod) || w.meter(ctx, measurement, index, name) { // the pod itself may still run
			done++
		}
	}
	if done == int(*job.Spec.Completions) && w.stranger == "" {
		w.loads[measurement.Name]++
		w.endJob(ctx, job, batchv1.JobComplete, "")
	}
}

// loadPodName names a pod as the controller of Jobs does, with characters of the Job's UID in place of random ones.
func loadPodName(job *batchv1.Job, index int32) string {
	suffix := fmt.Sprintf("-%d-", index)
	return job.Name[:min(len(job.Name), 58-len(suffix))] + suffix + string(job.UID[:5])
}

// tell creates an event of a controller about its workload.
func (w *world) tell(ctx context.Context, about *batchv1.Job, reason, message string) {
	now := metav1.NewTime(w.now())
	require.NoError(w.t, w.client.Create(ctx, &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{GenerateName: about.Name + "-", Namespace: w.namespace},
		InvolvedObject: corev1.ObjectReference{Kind: "Job", APIVersion: "batch/v1", Name: about.Name, Namespace: w.namespace, UID: about.UID},
		Reason:         reason, Message: message, FirstTimestamp: now, LastTimestamp: now, Count: 1, Type: corev1.EventTypeWarning}))
}

// meter plays meter in a load pod: it reports ready, waits for the start, and completes the load at once.
func (w *world) meter(ctx context.Context, measurement *v1beta1.Measurement, index int32, pod string) bool {
	part := v1beta1.Part{Index: index, State: v1beta1.PartReady, Pod: pod, Node: fmt.Sprintf("load%d", index+1)}
	switch {
	case w.reported(ctx, pod) == nil:
		w.writePart(ctx, measurement, part)
		return false
	case measurement.Status.StartAt == nil:
		return false
	case w.holdLoad, w.inFaults(measurement):
		part.State = v1beta1.PartRunning
		w.writePart(ctx, measurement, part)
		return false
	}
	if w.mute {
		w.endPod(ctx, pod, 0)
		return true
	}
	part.State = v1beta1.PartDone
	part.CPUUsedPermille, part.CPUWaitedPermille = ptr.To(int64(400)), ptr.To(int64(10))
	companions := w.companionParts(ctx, measurement, part)
	part.Operations = measurement.Spec.Operations / int64(measurement.Spec.Pods)
	if measurement.Spec.Interleave != nil || measurement.Spec.Profile != nil || len(measurement.Spec.Faults) > 0 {
		part.Operations = w.operationsOf(measurement)
	}
	if measurement.Spec.Profile != nil && index == 0 {
		part.Profile = &v1beta1.Profile{Event: measurement.Spec.Profile.Event, Engine: "ctimer", Unit: "ns", Total: 7, Stacks: 1, Pods: 1, Chunks: []string{"c"}}
	}
	if measurement.Spec.Idle {
		part.Operations = 0
	}
	late := time.Duration(0)
	if w.spoil != nil {
		late = w.spoil(measurement, &part)
	}
	part.Logs = w.writeLog(ctx, measurement, part, late)
	w.writePart(ctx, measurement, part, companions...)
	w.endPod(ctx, pod, 0)
	return true
}

// inFaults reports whether a load with faults of nodes must continue.
func (w *world) inFaults(measurement *v1beta1.Measurement) bool {
	return len(measurement.Spec.Faults) > 0 && w.now().Before(measurement.Status.StartAt.Add(measurement.Spec.Duration.Duration))
}

// roundOperations is the number of operations that each server answers in a phase with a duration.
const roundOperations = 500

// operationsOf returns the number of operations of a server in a round of an interleaved phase.
func (w *world) operationsOf(measurement *v1beta1.Measurement) int64 {
	if !w.noise {
		return roundOperations
	}
	return roundOperations + 10*int64((int(measurement.Spec.Round)+len(measurement.Spec.Server))%3)
}

// companionParts returns the parts of the companions of an interleaved phase, and writes their logs.
func (w *world) companionParts(ctx context.Context, lead *v1beta1.Measurement, part v1beta1.Part) []v1beta1.CompanionPart {
	var all []v1beta1.CompanionPart
	part.Attempt = lead.Status.Attempt
	for _, arm := range lead.Spec.Arms {
		companion := &v1beta1.Measurement{}
		require.NoError(w.t, w.client.Get(ctx, client.ObjectKey{Namespace: w.namespace, Name: arm.Measurement}, companion))
		require.Equal(w.t, lead.Status.Attempt, companion.Status.Attempt, "%s is at the attempt of its lead, or meter takes it for superseded", arm.Measurement)
		require.Equal(w.t, lead.Status.StartAt, companion.Status.StartAt, arm.Measurement)
		if companion.Name == lead.Name {
			continue
		}
		part.Operations = w.operationsOf(companion)
		part.Logs = w.writeLog(ctx, companion, part, 0)
		all = append(all, v1beta1.CompanionPart{Measurement: companion.Name, Part: part})
	}
	return all
}

// reported returns the report of a load pod; nil if there is none.
func (w *world) reported(ctx context.Context, pod string) *v1beta1.MeasurementPart {
	all := list(ctx, w, &v1beta1.MeasurementPartList{}).Items
	if i := slices.IndexFunc(all, func(p v1beta1.MeasurementPart) bool { return p.Name == pod }); i >= 0 {
		return &all[i]
	}
	return nil
}

// writePart writes the report of a load pod.
func (w *world) writePart(ctx context.Context, measurement *v1beta1.Measurement, part v1beta1.Part, companions ...v1beta1.CompanionPart) {
	part.Attempt = measurement.Status.Attempt
	present := w.reported(ctx, part.Pod)
	if present == nil {
		require.NoError(w.t, w.client.Create(ctx, &v1beta1.MeasurementPart{
			ObjectMeta: metav1.ObjectMeta{Name: part.Pod, Namespace: w.namespace, Labels: loadgen.Labels(measurement),
				OwnerReferences: []metav1.OwnerReference{{APIVersion: v1beta1.GroupVersion.String(), Kind: "Measurement", Name: measurement.Name, UID: measurement.UID}}},
			Part: part, Companions: companions}))
		return
	}
	if equality.Semantic.DeepEqual(present.Part, part) {
		return
	}
	present = present.DeepCopy()
	present.Part, present.Companions = part, companions
	require.NoError(w.t, w.client.Update(ctx, present))
}

func (w *world) writeLog(ctx context.Context, measurement *v1beta1.Measurement, part v1beta1.Part, late time.Duration) []string {
	var intervals []measure.Interval
	start, each := measurement.Status.StartAt.Add(late), time.Second
	if len(measurement.Spec.Faults) > 0 {
		each = measurement.Spec.Duration.Duration / 10
	}
	for i := range int64(10) {
		histogram := hdrhistogram.NewPacked(1, int64(time.Minute), 3)
		for n := range part.Operations / 10 {
			require.NoError(w.t, histogram.RecordValue(int64(time.Millisecond)+n))
		}
		intervals = append(intervals, measure.Interval{Start: start.Add(time.Duration(i) * each), End: start.Add(time.Duration(i+1) * each),
			Tag: measure.Tag{Operation: "WRITE", Kind: v1beta1.LatencyService}, Histogram: histogram})
	}
	log := measure.NewLog(intervals)
	log.Windowed = measurement.Spec.Interleave != nil || measurement.Spec.Idle
	if measurement.Spec.Idle {
		for _, window := range intervals {
			log.Counters = append(log.Counters, measure.Counters{Start: window.Start, End: window.End, Windows: 1, Values: map[string]int64{"cpu_ns": 50_000_000}})
		}
	} else if log.Windowed {
		for _, window := range intervals {
			answered := window.Histogram.TotalCount()
			log.Counters = append(log.Counters, measure.Counters{Start: window.Start, End: window.End, Windows: 1, Operations: answered,
				Values: map[string]int64{"cpu_ns": 612_345 * answered, "cpu_server_ns": 200_000 * answered, "gc_pause_ms": 3}})
		}
	}
	chunks, err := measure.PackLog(log, measure.MaxChunks)
	require.NoError(w.t, err)
	var names []string
	for i, chunk := range chunks {
		name := measure.LogName(measurement.Name, measurement.Status.Attempt, part.Index, i, chunk)
		require.NoError(w.t, w.client.Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: w.namespace, Labels: map[string]string{v1beta1.LabelMeasurement: measurement.Name}}, BinaryData: map[string][]byte{measure.LogKey: chunk}}))
		names = append(names, name)
	}
	return names
}

// lastWords are those of a load that fails. Meter reports them, and leaves them as its termination message.
const lastWords = "the tool says no"

func (w *world) endPod(ctx context.Context, name string, code int32) {
	pod := &corev1.Pod{}
	require.NoError(w.t, w.client.Get(ctx, client.ObjectKey{Namespace: w.namespace, Name: name}, pod))
	pod.Status.Phase = corev1.PodSucceeded
	if code != 0 {
		pod.Status.Phase = corev1.PodFailed
	}
	ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: "Ended"}}
	if code != 0 {
		ended.Terminated.Message = lastWords
	}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "load", ImageID: loadImageID, State: ended}}
	if w.stranger != "" {
		pod.Status.Phase = corev1.PodRunning
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{Name: "meter", State: ended},
			corev1.ContainerStatus{Name: w.stranger, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}})
	}
	require.NoError(w.t, w.client.Status().Update(ctx, pod))
}

func (w *world) endJob(ctx context.Context, job *batchv1.Job, kind batchv1.JobConditionType, reason string) {
	now := metav1.NewTime(w.now())
	job.Status.StartTime = &now
	job.Status.UncountedTerminatedPods = &batchv1.UncountedTerminatedPods{}
	early := batchv1.JobSuccessCriteriaMet
	if kind == batchv1.JobComplete {
		job.Status.CompletionTime = &now
		job.Status.Succeeded = *job.Spec.Completions
		job.Status.CompletedIndexes = fmt.Sprintf("0-%d", *job.Spec.Completions-1)
		if *job.Spec.Completions == 1 {
			job.Status.CompletedIndexes = "0"
		}
	} else {
		early = batchv1.JobFailureTarget
		job.Status.Failed = 1
	}
	for _, condition := range []batchv1.JobConditionType{early, kind} {
		job.Status.Conditions = append(job.Status.Conditions, batchv1.JobCondition{Type: condition, Status: corev1.ConditionTrue, Reason: reason, LastTransitionTime: now})
	}
	require.NoError(w.t, w.client.Status().Update(ctx, job))
}

// Open returns the log of a store's pod: a proof line per server, in the format of the store's logger.
func (w *world) Open(_ context.Context, pod corev1.Pod, options corev1.PodLogOptions) (io.ReadCloser, error) {
	if options.Previous {
		return io.NopCloser(strings.NewReader("out of memory\n")), nil
	}
	w.logsRead[pod.Name]++
	if w.proof != nil {
		return io.NopCloser(strings.NewReader(*w.proof)), nil
	}
	var text strings.Builder
	text.WriteString("INFO starting\n")
	for i, server := range serversOf(pod) {
		class := w.class
		if server != "disruptor" {
			class = "test." + server
		}
		settings := ""
		version := versionOf(server)
		if w.upgraded[pod.Name] {
			version = versionOf("new")
		}
		if told := cmp.Or(w.settings, version); told != "" {
			settings = `,"settings":` + told
		}
		fmt.Fprintf(&text, "INFO 12:00:00 ringside-proof {\"server\":%q,\"class\":%q,\"address\":%q,\"port\":0,\"plugin_sha256\":\"abc\",\"environment\":{\"jvm\":\"1.8\",\"survives_kill\":\"true\"}%s} n%d\n",
			server, class, pod.Status.PodIP, settings, i)
	}
	return io.NopCloser(strings.NewReader(text.String())), nil
}

// serversOf returns the servers that a store pod runs: those of the chart ledger, or the only one of a pod of the chart shelf.
func serversOf(pod corev1.Pod) []string {
	if only := pod.Labels["type"]; only != "" {
		return []string{only}
	}
	return []string{"disruptor", "hsha"}
}

// versionOf returns the settings of a server of the chart shelf; empty for others.
func versionOf(server string) string {
	switch {
	case strings.HasPrefix(server, "old"):
		return `{"version":"4"}`
	case strings.HasPrefix(server, "new"):
		return `{"version":"5"}`
	}
	return ""
}
