package controller

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/meter/orders"
	"ringside.dev/ringside/operators/internal/plan"
	"ringside.dev/ringside/operators/internal/store"
	"ringside.dev/ringside/operators/internal/storechart"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const (
	writeCell = "quorum-r1-disruptor-write-1"
	readCell  = "quorum-r1-disruptor-read-1"
)

// scene builds an observation: an accepted run of one server, with one write and one read, that has started.
type scene struct{ o observed }

func newScene() *scene {
	operations := int64(1000)
	experiment := &v1beta1.Experiment{
		ObjectMeta: metav1.ObjectMeta{Name: "quorum", UID: "e", Finalizers: []string{v1beta1.Finalizer}},
		Spec: v1beta1.ExperimentSpec{
			Store:       v1beta1.StoreSpec{Chart: "ledger", ReadyTimeout: metav1.Duration{Duration: 5 * time.Minute}},
			Servers:     []v1beta1.ServerSpec{{Name: "disruptor"}},
			Load:        v1beta1.LoadSpec{Pods: 2, Timeout: metav1.Duration{Duration: time.Hour}},
			Phases:      []v1beta1.PhaseSpec{{Name: "write", Repeats: 1, Threads: 2}, {Name: "read", Repeats: 1, Threads: 2}},
			Operations:  &operations,
			Rounds:      1,
			MaxAttempts: 2,
		},
		Status: v1beta1.ExperimentStatus{
			Seed:       ptr.To(int64(1)),
			StartedAt:  &metav1.Time{Time: noon},
			Conditions: []metav1.Condition{{Type: v1beta1.ConditionAccepted, Status: metav1.ConditionTrue}},
		},
	}
	return &scene{o: observed{now: noon, experiment: experiment, plan: plan.Build(experiment, 1),
		measurements: map[string]*v1beta1.Measurement{}, parts: map[string][]v1beta1.Part{}}}
}

// store records the store, ready or not.
func (s *scene) store(ready bool) *scene {
	wanted := s.o.plan.Stores[0]
	s.o.experiment.Status.Store = &v1beta1.StoreStatus{Release: wanted.Release, Releases: []v1beta1.StoreRelease{{Name: wanted.Release}}, Round: 1, InstalledAt: metav1.Time{Time: noon}}
	s.o.release, s.o.unfinished = storechart.ReleaseStatus{State: storechart.Deployed}, wanted.Release
	s.o.objects = readyObjects(wanted.Release)
	if ready {
		s.o.experiment.Status.Store.ReadyAt = &metav1.Time{Time: noon}
		s.o.experiment.Status.Store.Pods = store.Lives(s.o.objects.Pods)
		s.o.experiment.Status.Store.Nodes = 1
	}
	return s
}

func readyObjects(name string) store.Objects {
	replicas := int32(1)
	return store.Objects{
		StatefulSets: []appsv1.StatefulSet{{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.StatefulSetSpec{Replicas: &replicas},
			Status: appsv1.StatefulSetStatus{ReadyReplicas: 1, UpdatedReplicas: 1}}},
		Pods: []corev1.Pod{{ObjectMeta: metav1.ObjectMeta{Name: name + "-0", UID: "p0", CreationTimestamp: metav1.Time{Time: noon},
			Labels: map[string]string{v1beta1.LabelComponent: v1beta1.StoreComponent, v1beta1.LabelInstance: name}},
			Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: noon}}}}}},
		Services: []corev1.Service{{ObjectMeta: metav1.ObjectMeta{Name: "s", Labels: map[string]string{v1beta1.LabelServer: "disruptor", v1beta1.LabelInstance: name}}}},
		Slices: []discoveryv1.EndpointSlice{{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{discoveryv1.LabelServiceName: "s"}},
			Ports:     []discoveryv1.EndpointPort{{Name: ptr.To("server"), Port: ptr.To(int32(9160))}},
			Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"}, Conditions: discoveryv1.EndpointConditions{Ready: ptr.To(true)}}}}},
	}
}

// measurement adds the measurement of a cell in an attempt, with parts in the given states. Part i belongs to pod
// "p<i>".
func (s *scene) measurement(name string, attempt int32, started bool, states ...v1beta1.PartPhase) *scene {
	m := &v1beta1.Measurement{ObjectMeta: metav1.ObjectMeta{Name: name, UID: "m",
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(s.o.experiment, v1beta1.GroupVersion.WithKind("Experiment"))}}}
	m.Spec.Pods, m.Spec.Server, m.Spec.ServerType = 2, "disruptor", "disruptor"
	m.Status.Attempt = attempt
	if started {
		m.Status.StartAt = &metav1.MicroTime{Time: noon}
	}
	s.o.parts[name] = nil
	for i, state := range states {
		s.o.parts[name] = append(s.o.parts[name], v1beta1.Part{Index: int32(i), Attempt: attempt, State: state, Pod: []string{"p0", "p1"}[i]})
	}
	s.o.measurements[name] = m
	return s
}

func (s *scene) finished(name string) *scene {
	s.measurement(name, 1, true)
	s.o.measurements[name].Status.Conditions = []metav1.Condition{{Type: v1beta1.ConditionFinished, Status: metav1.ConditionTrue}}
	s.o.measurements[name].Status.Result = &v1beta1.Result{}
	return s
}

// anotherLife replaces a store pod by a restarted one.
func anotherLife(o *observed) { o.objects.Pods[0].UID = "another life" }

// survives sets whether the store's pod proved that its data survives a kill.
func survives(promise string) func(*observed) {
	return func(o *observed) {
		o.experiment.Status.Store.Proofs = []v1beta1.Proof{{Pod: o.objects.Pods[0].Name, Environment: map[string]string{v1beta1.SurvivesKill: promise}}}
	}
}

// job adds the job of the attempt, with two running pods.
func (s *scene) job() *scene {
	s.o.job = &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: writeCell + "-a1"}}
	s.o.job.Spec.Template.Spec.Containers = []corev1.Container{{Env: []corev1.EnvVar{{Name: orders.EnvEndpoints, Value: "10.0.0.1:9160"}}}}
	for _, name := range []string{"p0", "p1"} {
		s.o.loadPods = append(s.o.loadPods, corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: metav1.Time{Time: noon}},
			Status: corev1.PodStatus{Phase: corev1.PodRunning}})
	}
	return s
}

func (s *scene) podEnded(index int, code int32) *scene {
	s.o.loadPods[index].Status = corev1.PodStatus{Phase: corev1.PodFailed, ContainerStatuses: []corev1.ContainerStatus{{Name: "load",
		State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code}}}}}
	return s
}

func (s *scene) jobFailed(reason string) *scene {
	s.o.job.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobFailed, Status: corev1.ConditionTrue, Reason: reason}}
	return s
}

func (s *scene) with(change func(*observed)) *scene {
	change(&s.o)
	return s
}

func TestNextStep(t *testing.T) {
	later := func(d time.Duration) func(*observed) { return func(o *observed) { o.now = noon.Add(d) } }
	suspend := func(o *observed) { o.experiment.Spec.Suspend = true }
	deleted := func(o *observed) { o.experiment.DeletionTimestamp = &metav1.Time{Time: noon} }
	free := func(o *observed) { o.experiment.Finalizers = nil }
	ending := func(o *observed) { o.namespaceEnds = true }
	condition := func(kind string, status metav1.ConditionStatus) func(*observed) {
		return func(o *observed) {
			o.experiment.Status.Conditions = append(o.experiment.Status.Conditions, metav1.Condition{Type: kind, Status: status, LastTransitionTime: metav1.Time{Time: noon}})
		}
	}
	precise := func(o *observed) { o.experiment.Spec.Precision = "3%" }
	judged := func(o *observed) { o.experiment.Status.Precision = &v1beta1.PrecisionStatus{Rounds: 1} }
	otherLoad := func(o *observed) {
		o.otherLoads = []corev1.Pod{{ObjectMeta: metav1.ObjectMeta{Name: writeCell + "-a1-0", DeletionTimestamp: &metav1.Time{Time: noon}}}}
	}
	unscheduled := func(pods func(*observed) []corev1.Pod) func(*observed) {
		return func(o *observed) {
			pods(o)[0].Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
				Message: "0/4 nodes", LastTransitionTime: metav1.Time{Time: noon}}}
		}
	}
	storePods := func(o *observed) []corev1.Pod { o.objects.Slices = nil; return o.objects.Pods }
	loadPods := func(o *observed) []corev1.Pod { return o.loadPods }
	const ready, running, settling, done, partFailed = v1beta1.PartReady, v1beta1.PartRunning, v1beta1.PartSettling, v1beta1.PartDone, v1beta1.PartFailed
	awaiting := func(d time.Duration) func(*observed) {
		return func(o *observed) { o.measurements[writeCell].Spec.AwaitCompactions = &metav1.Duration{Duration: d} }
	}
	failedOnce := func(o *observed) {
		o.measurements[writeCell].Status.Failures = []v1beta1.AttemptFailure{{Attempt: 1}}
	}
	lasting := func(d time.Duration) func(*observed) {
		return func(o *observed) { o.measurements[writeCell].Spec.Duration = &metav1.Duration{Duration: d} }
	}

	for _, test := range []struct {
		name string
		when *scene
		then step
	}{
		{"do nothing if the run has ended", newScene().with(free).with(func(o *observed) { o.experiment.Status.FinishedAt = &metav1.Time{Time: noon} }), nothing{}},
		{"do nothing if a deleted run is cleaned up", newScene().with(deleted).with(func(o *observed) { o.experiment.Finalizers = nil }), nothing{}},
		{"the finalizer before any store, so that no store outlives its run", newScene().with(free), addFinalizer{}},
		{"no finalizer for a run that waits", newScene().with(free).with(func(o *observed) { o.experiment.Status.StartedAt = nil; o.ahead = "other" }), wait{progress: progress{reason: v1beta1.ReasonQueued}}},
		{"no finalizer for a run that has all and nothing to remove", newScene().with(free).finished(writeCell).finished(readCell), finishRun{}},
		{"let go of a run at once when its namespace is deleted", newScene().store(true).measurement(writeCell, 1, true, running).job().with(ending), removeFinalizer{}},
		{"let go of a deleted run at once when its namespace is deleted", newScene().store(true).with(deleted).with(ending), removeFinalizer{}},
		{"begin nothing in a namespace that is deleted", newScene().with(free).with(ending), nothing{}},
		{"check a spec that was not looked at", newScene().with(func(o *observed) { o.experiment.Status.Conditions = nil }), acceptSpec{}},
		{"end a refused run though it never got its finalizer", newScene().with(condition(v1beta1.ConditionFailed, metav1.ConditionTrue)).with(func(o *observed) { o.experiment.Finalizers = nil }), finishRun{}},
		{"wait in the queue if another run has the machine", newScene().with(func(o *observed) { o.experiment.Status.StartedAt = nil; o.ahead = "other" }), wait{progress: progress{reason: v1beta1.ReasonQueued}}},
		{"start the run if none is ahead", newScene().with(func(o *observed) { o.experiment.Status.StartedAt = nil }), startRun{}},
		{"do not start the run while suspended", newScene().with(suspend).with(func(o *observed) { o.experiment.Status.StartedAt = nil }), wait{progress: progress{reason: v1beta1.ReasonSuspended}}},

		{"record a store before it is installed", newScene(), recordStore{}},
		{"do not install a store while suspended", newScene().with(suspend), wait{progress: progress{reason: v1beta1.ReasonSuspended}}},
		{"end a run whose store went away with its data", newScene().finished(writeCell), failRun{reason: v1beta1.ReasonStoreLost}},
		{"install a store that is recorded and absent", newScene().store(false).with(func(o *observed) { o.release.State = storechart.Absent; o.objects = store.Objects{} }), installStore{}},
		{"clear what an interrupted installation left", newScene().store(false).with(func(o *observed) { o.release.State = storechart.Interrupted }), clearRemains{progress: progress{reason: v1beta1.ReasonInstallingStore}}},
		{"remove pods of a removed release before the next installation", newScene().store(false).with(func(o *observed) { o.release.State = storechart.Absent }), clearRemains{progress: progress{reason: v1beta1.ReasonInstallingStore}}},
		{"give an installation up after its timeout", newScene().store(false).with(func(o *observed) { o.release.State = storechart.Interrupted }).with(later(6 * time.Minute)), failRun{reason: v1beta1.ReasonStoreFailed}},
		{"wait for a store with too few endpoints", newScene().store(false).with(func(o *observed) { o.objects.Slices = nil }), wait{progress: progress{reason: v1beta1.ReasonAwaitingStore}}},
		{"wait for a workload that the cache does not show yet", newScene().store(false).with(func(o *observed) { o.release.Workloads = []storechart.Workload{{Kind: "StatefulSet", Name: "more"}} }), wait{progress: progress{reason: v1beta1.ReasonAwaitingStore}}},
		{"give a store up that is not ready in time", newScene().store(false).with(func(o *observed) { o.objects.Slices = nil }).with(later(6 * time.Minute)), failRun{reason: v1beta1.ReasonStoreFailed}},
		{"wait for a node for a store pod while an autoscaler may add one", newScene().store(false).with(unscheduled(storePods)).with(later(149 * time.Second)), wait{progress: progress{reason: v1beta1.ReasonAwaitingStore}}},
		{"end a run whose store pod no node takes", newScene().store(false).with(unscheduled(storePods)).with(later(150 * time.Second)), failRun{reason: v1beta1.ReasonStoreFailed}},
		{"end a run whose store pods cannot be made", newScene().store(false).with(func(o *observed) { o.objects.Slices, o.creationFault = nil, "exceeded quota" }), failRun{reason: v1beta1.ReasonStoreFailed}},
		{"end a run whose store's volumes cannot be made", newScene().store(false).with(unscheduled(storePods)).with(func(o *observed) { o.claimFault = "no such class" }), failRun{reason: v1beta1.ReasonStoreFailed}},
		{"wait for the nodes that were asked for, whatever was scaled since", newScene().store(false).with(func(o *observed) {
			o.release.Workloads = []storechart.Workload{{Kind: "Deployment", StorePods: 2}}
			o.objects.Deployments = []appsv1.Deployment{{Spec: appsv1.DeploymentSpec{Replicas: ptr.To(int32(0))}}}
		}), wait{progress: progress{reason: v1beta1.ReasonAwaitingStore}}},
		{"read the proofs of a store that answers", newScene().store(false), proveStore{}},

		{"create the measurement of the first cell", newScene().store(true), createMeasurement{cell: plan.Cell{Name: writeCell}}},
		{"do not begin a phase while suspended", newScene().store(true).with(suspend), wait{progress: progress{reason: v1beta1.ReasonSuspended}}},
		{"do not begin a phase while the store does not answer", newScene().store(true).with(func(o *observed) { o.objects.Slices = nil }), awaitReady{progress{reason: v1beta1.ReasonAwaitingStore}}},
		{"end a run whose store's workload was deleted", newScene().store(true).with(func(o *observed) {
			o.release.Workloads = []storechart.Workload{{Kind: "StatefulSet", Name: "gone"}}
		}), failRun{reason: v1beta1.ReasonStoreLost}},
		{"give a store up that does not come back", newScene().store(true).with(func(o *observed) { o.objects.Slices = nil }).with(condition(v1beta1.ConditionStoreReady, metav1.ConditionFalse)).with(later(6 * time.Minute)),
			failRun{reason: v1beta1.ReasonStoreFailed}},
		{"prove a store again after one of its pods restarted", newScene().store(true).with(func(o *observed) { o.objects.Pods[0].UID = "another life" }), proveStore{}},
		{"prove a store again whose pod restarted and promised nothing of its data", newScene().store(true).finished(writeCell).with(anotherLife), proveStore{}},
		{"prove a store again whose pod restarted and keeps its data", newScene().store(true).finished(writeCell).with(survives("true")).with(anotherLife), proveStore{}},
		{"end a run whose data went with a pod that restarted", newScene().store(true).finished(writeCell).with(survives("false")).with(anotherLife), failRun{reason: v1beta1.ReasonStoreLost}},
		{"prove a store again that a phase killed, also one that keeps its data", newScene().store(true).finished(writeCell).with(survives("false")).with(anotherLife).with(func(o *observed) { o.plan.Stores[0].Cells[0].Spec.Recovery = &v1beta1.RecoverySpec{} }), proveStore{}},
		{"prove a store again that lost its data before anything was put there", newScene().store(true).with(survives("false")).with(anotherLife), proveStore{}},
		{"begin the first attempt", newScene().store(true).measurement(writeCell, 0, false), beginAttempt{cell: plan.Cell{Name: writeCell}}},
		{"create the job of an attempt", newScene().store(true).measurement(writeCell, 1, false), createJob{cell: plan.Cell{Name: writeCell}}},
		{"stop an earlier attempt's job first", newScene().store(true).measurement(writeCell, 2, false).with(func(o *observed) { o.activeJobs = []string{writeCell + "-a1"} }), stopLoad{}},
		{"wait for a pod of an earlier attempt, though its job is gone", newScene().store(true).measurement(writeCell, 2, false).with(otherLoad), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"end a run whose earlier load does not end", newScene().store(true).measurement(writeCell, 2, false).with(otherLoad).with(later(time.Hour)), failRun{reason: v1beta1.ReasonLoadFailed}},
		{"complete a phase that exists though suspended", newScene().store(true).measurement(writeCell, 0, false).with(suspend), beginAttempt{cell: plan.Cell{Name: writeCell}}},
		{"complete a phase whose attempt is counted though suspended", newScene().store(true).measurement(writeCell, 1, false).with(suspend), createJob{cell: plan.Cell{Name: writeCell}}},
		{"do not begin another attempt while suspended", newScene().store(true).measurement(writeCell, 2, false).with(suspend).with(failedOnce), wait{progress: progress{reason: v1beta1.ReasonSuspended}}},
		{"do not take another run's measurement", newScene().store(true).measurement(writeCell, 0, false).with(func(o *observed) { o.measurements[writeCell].OwnerReferences = nil }), failRun{reason: v1beta1.ReasonLoadFailed}},
		{"go on with the phase that is missing", newScene().store(true).finished(writeCell), createMeasurement{cell: plan.Cell{Name: readCell}}},

		{"wait until all load pods are ready", newScene().store(true).measurement(writeCell, 1, false, ready).job(), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"announce the start when all load pods are ready", newScene().store(true).measurement(writeCell, 1, false, ready, ready).job(), announceStart{}},
		{"do not start a load while a store pod is not ready", newScene().store(true).measurement(writeCell, 1, false, ready, ready).job().with(func(o *observed) { o.objects.Pods[0].Status = corev1.PodStatus{} }), awaitReady{progress{reason: v1beta1.ReasonAwaitingStore}}},
		{"do not start a load on fewer store pods than were asked for", newScene().store(true).measurement(writeCell, 1, false, ready, ready).job().with(func(o *observed) { o.experiment.Status.Store.Nodes = 2 }), awaitReady{progress{reason: v1beta1.ReasonAwaitingStore}}},
		{"do not start a load on addresses that are no longer the store's", newScene().store(true).measurement(writeCell, 1, false, ready, ready).job().with(func(o *observed) { o.objects.Slices[0].Endpoints[0].Addresses[0] = "10.0.0.9" }), giveUpAttempt{failure: v1beta1.FailureStoreRestarted}},
		{"wait for a node for a load pod while an autoscaler may add one", newScene().store(true).measurement(writeCell, 1, false).job().with(unscheduled(loadPods)).with(later(149 * time.Second)), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"end a run whose load pod no node takes", newScene().store(true).measurement(writeCell, 1, false).job().with(unscheduled(loadPods)).with(later(150 * time.Second)), failRun{reason: v1beta1.ReasonLoadFailed}},
		{"end a run whose load pods cannot be made", newScene().store(true).measurement(writeCell, 1, false).job().with(func(o *observed) { o.loadPods, o.creationFault = nil, "exceeded quota" }), failRun{reason: v1beta1.ReasonLoadFailed}},
		{"do not count a load pod that is gone", newScene().store(true).measurement(writeCell, 1, false, ready, ready).job().with(func(o *observed) { o.loadPods = o.loadPods[:1] }), giveUpAttempt{failure: v1beta1.FailureLoadPodLost}},
		{"do nothing to a load that runs", newScene().store(true).measurement(writeCell, 1, true, running, running).job(), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"do nothing to a load that runs though suspended", newScene().store(true).measurement(writeCell, 1, true, running, running).job().with(suspend), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"do nothing to a load that runs though the store stumbles", newScene().store(true).measurement(writeCell, 1, true, running, running).job().with(func(o *observed) { o.objects.Slices = nil }), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"collect when all parts are done", newScene().store(true).measurement(writeCell, 1, true, done, done).job(), collectResult{}},
		{"give up a load with two pods for one share", newScene().store(true).measurement(writeCell, 1, true, done, done).job().with(func(o *observed) { o.parts[writeCell][1].Index = 0 }), giveUpAttempt{failure: v1beta1.FailureLoadPodLost}},
		{"remove reports that an operator left, before the store", newScene().store(true).finished(writeCell).finished(readCell).with(func(o *observed) { o.spentParts = []string{writeCell} }), removeParts{measurements: []string{writeCell}}},
		{"collect when all parts are done though the job is gone", newScene().store(true).measurement(writeCell, 1, true, done, done), collectResult{}},
		{"do not collect parts of an earlier attempt", newScene().store(true).measurement(writeCell, 1, false, done, done).with(func(o *observed) {
			m := o.measurements[writeCell]
			m.Status.Parts, m.Status.Attempt, o.parts = o.parts[writeCell], 2, nil
		}), createJob{cell: plan.Cell{Name: writeCell}}},
		{"give the attempt up when its job was deleted", newScene().store(true).measurement(writeCell, 1, true, running, running), giveUpAttempt{failure: v1beta1.FailureLoadPodLost}},
		{"wait for the end of a pod whose part failed", newScene().store(true).measurement(writeCell, 1, true, partFailed, running).job(), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"blame the tool for an exit code of its own", newScene().store(true).measurement(writeCell, 1, true, partFailed, running).job().podEnded(0, 1), giveUpAttempt{failure: v1beta1.FailureLoadToolFailed}},
		{"blame the store for a tool that ended because it went away", newScene().store(true).measurement(writeCell, 1, true, partFailed, running).job().podEnded(0, 1).with(storeReplaced), giveUpAttempt{failure: v1beta1.FailureStoreRestarted}},
		{"blame the tool where the store was to be hit", newScene().store(true).measurement(writeCell, 1, true, partFailed, running).job().podEnded(0, 1).with(storeReplaced).with(func(o *observed) {
			o.measurements[writeCell].Spec.Recovery = &v1beta1.RecoverySpec{}
		}), giveUpAttempt{failure: v1beta1.FailureLoadToolFailed}},
		{"do not try again what makes no sense", newScene().store(true).measurement(writeCell, 1, true, partFailed, running).job().podEnded(0, 64), giveUpAttempt{failure: v1beta1.FailureLoadToolFailed, hopeless: true}},
		{"do not blame the tool for a kill", newScene().store(true).measurement(writeCell, 1, true, partFailed, running).job().podEnded(0, 137), giveUpAttempt{failure: v1beta1.FailureLoadPodLost}},
		{"do not blame the tool for a result that nobody took", newScene().store(true).measurement(writeCell, 1, true, running, running).job().podEnded(1, 70), giveUpAttempt{failure: v1beta1.FailureLoadPodLost}},
		{"do not mind a finished pod beside a running one", newScene().store(true).measurement(writeCell, 1, true, done, running).job().podEnded(0, 137), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"give up a phase that takes too long, for good", newScene().store(true).measurement(writeCell, 1, true, running, running).job().jobFailed(batchv1.JobReasonDeadlineExceeded), giveUpAttempt{failure: v1beta1.FailureLoadTimedOut, hopeless: true}},
		{"give up a load that has not ended after its timeout, for good", newScene().store(true).measurement(writeCell, 1, true, running, running).job().with(later(61 * time.Minute)), giveUpAttempt{failure: v1beta1.FailureLoadTimedOut, hopeless: true}},
		{"do not give up a load before its timeout", newScene().store(true).measurement(writeCell, 1, true, running, running).job().with(later(59 * time.Minute)), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"give up a load of five seconds that has not ended five minutes later", newScene().store(true).measurement(writeCell, 1, true, running, running).job().with(lasting(5 * time.Second)).with(later(311 * time.Second)), giveUpAttempt{failure: v1beta1.FailureLoadTimedOut, hopeless: true}},
		{"do not give up a load of an hour before half an hour more, within its timeout", newScene().store(true).measurement(writeCell, 1, true, running, running).job().with(lasting(30 * time.Minute)).with(later(44 * time.Minute)), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"wait for a pod that awaits compactions", newScene().store(true).measurement(writeCell, 1, true, done, settling).job(), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"give up a load that has not ended, whatever its wait for compactions", newScene().store(true).measurement(writeCell, 1, true, running, settling).job().with(awaiting(time.Hour)).with(later(61 * time.Minute)), giveUpAttempt{failure: v1beta1.FailureLoadTimedOut, hopeless: true}},
		{"wait for compactions beyond the load's timeout", newScene().store(true).measurement(writeCell, 1, true, done, settling).job().with(awaiting(time.Hour)).with(later(119 * time.Minute)), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"collect a result whose pod was lost while it awaited compactions", newScene().store(true).measurement(writeCell, 1, true, done, settling).job().podEnded(1, 137), collectResult{}},
		{"collect a result whose pod is gone that awaited compactions", newScene().store(true).measurement(writeCell, 1, true, done, settling).job().with(func(o *observed) { o.loadPods = o.loadPods[:1] }), collectResult{}},
		{"collect a result whose pod is late with the end of its wait", newScene().store(true).measurement(writeCell, 1, true, done, settling).job().with(later(61 * time.Minute)), collectResult{}},
		{"collect no result while another pod drives load", newScene().store(true).measurement(writeCell, 1, true, running, settling).job().podEnded(1, 137), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"give up an attempt whose pod ended well and delivered nothing", newScene().store(true).measurement(writeCell, 1, true, done, running).job().with(func(o *observed) { o.undelivered = "p1" }), giveUpAttempt{failure: v1beta1.FailureLoadPodLost}},
		{"blame the tool though a container of others still runs", newScene().store(true).measurement(writeCell, 1, true, partFailed, running).job().with(sidecar(1)), giveUpAttempt{failure: v1beta1.FailureLoadToolFailed}},
		{"do not blame the tool for a container of others", newScene().store(true).measurement(writeCell, 1, true, running, running).job().podEnded(0, 1).with(func(o *observed) { o.loadPods[0].Status.ContainerStatuses[0].Name = "mesh-proxy" }), giveUpAttempt{failure: v1beta1.FailureLoadPodLost}},
		{"end a run whose load image is missing", newScene().store(true).measurement(writeCell, 1, false).job().with(func(o *observed) {
			o.loadPods[0].Status.ContainerStatuses = []corev1.ContainerStatus{{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "InvalidImageName"}}}}
		}), failRun{reason: v1beta1.ReasonLoadFailed}},

		{"judge the rounds of a run that may end before its last", newScene().store(true).finished(writeCell).finished(readCell).with(precise), judgeRounds{rounds: 1}},
		{"judge no round twice", newScene().store(true).finished(writeCell).finished(readCell).with(precise).with(judged), removeStore{progress{reason: v1beta1.ReasonRemovingStore}}},
		{"judge no round that is not finished", newScene().store(true).finished(writeCell).with(precise), createMeasurement{cell: plan.Cell{Name: readCell}}},

		{"remove load pods that others keep, before the next phase", newScene().store(true).finished(writeCell).with(spent), removeSpent{jobs: []string{"j"}}},
		{"remove load pods that others keep, though suspended", newScene().store(true).finished(writeCell).with(suspend).with(spent), removeSpent{jobs: []string{"j"}}},
		{"remove load pods that others keep, of a failed run", newScene().store(true).with(condition(v1beta1.ConditionFailed, metav1.ConditionTrue)).with(spent), removeSpent{jobs: []string{"j"}}},
		{"do not finish before the last scrape in pods that others keep", newScene().finished(writeCell).finished(readCell).with(func(o *observed) { o.lingering = []string{"j"} }), wait{progress: progress{reason: v1beta1.ReasonMeasuring}}},
		{"go on meanwhile", newScene().store(true).finished(writeCell).with(func(o *observed) { o.lingering = []string{"j"} }), createMeasurement{cell: plan.Cell{Name: readCell}}},

		{"remove the store when all is measured", newScene().store(true).finished(writeCell).finished(readCell), removeStore{progress{reason: v1beta1.ReasonRemovingStore}}},
		{"finish when all is measured and removed", newScene().finished(writeCell).finished(readCell), finishRun{}},
		{"remove a store that belongs to no cell to come", newScene().store(true).with(func(o *observed) { o.experiment.Status.Store.Release = "former" }), removeStore{progress{reason: v1beta1.ReasonRemovingStore}}},
		{"stop the load of a failed run first", newScene().store(true).with(condition(v1beta1.ConditionFailed, metav1.ConditionTrue)).with(func(o *observed) { o.activeJobs = []string{"j"} }), stopLoad{}},
		{"then remove its store", newScene().store(true).with(condition(v1beta1.ConditionFailed, metav1.ConditionTrue)), removeStore{progress{reason: v1beta1.ReasonRemovingStore}}},
		{"then finish it", newScene().with(condition(v1beta1.ConditionFailed, metav1.ConditionTrue)), finishRun{}},
		{"stop the load of a deleted run first", newScene().store(true).with(deleted).with(func(o *observed) { o.activeJobs = []string{"j"} }), stopLoad{}},
		{"remove the store of a deleted run, finished or not", newScene().store(true).with(deleted), removeStore{progress{reason: v1beta1.ReasonRemovingStore}}},
		{"let go of a deleted run when nothing is left", newScene().with(deleted), removeFinalizer{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := nextStep(test.when.o)
			assert.Equal(t, test.then, stated(got), got.String())
			assert.NotEmpty(t, got.String())
			if w, is := got.(wait); is && w.reason != v1beta1.ReasonSuspended {
				assert.Positive(t, w.after, "a wait looks again by itself")
			}
		})
	}
}

func spent(o *observed) { o.spentJobs = []string{"j"} }

// sidecar adds a container that continues in a pod whose own containers have ended.
func sidecar(code int32) func(*observed) {
	return func(o *observed) {
		ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code}}
		o.loadPods[0].Status = corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{
			{Name: "load", State: ended}, {Name: "mesh-proxy", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}, {Name: "meter", State: ended}}}
	}
}

// stated reduces a step to the fields in the table: its type, the reason or failure, and the next cell.
func stated(got step) step {
	name := func(cell plan.Cell) plan.Cell { return plan.Cell{Name: cell.Name} }
	reason := func(p progress) progress { return progress{reason: p.reason} }
	switch s := got.(type) {
	case wait:
		return wait{progress: reason(s.progress)}
	case awaitReady:
		return awaitReady{reason(s.progress)}
	case removeStore:
		return removeStore{reason(s.progress)}
	case clearRemains:
		return clearRemains{progress: reason(s.progress)}
	case failRun:
		return failRun{reason: s.reason}
	case giveUpAttempt:
		return giveUpAttempt{failure: s.failure, hopeless: s.hopeless}
	case createMeasurement:
		return createMeasurement{name(s.cell)}
	case beginAttempt:
		return beginAttempt{name(s.cell)}
	case createJob:
		return createJob{cell: name(s.cell)}
	case recordStore:
		return recordStore{}
	case installStore:
		return installStore{}
	case proveStore:
		return proveStore{}
	case stopLoad:
		return stopLoad{}
	case announceStart:
		return announceStart{}
	case collectResult:
		return collectResult{}
	}
	return got
}

func TestToolThatFailedEachTimeEndsTheRun(t *testing.T) {
	s := newScene().store(true).finished(writeCell)
	status := &s.o.measurements[writeCell].Status
	status.Result = nil
	status.Failures = []v1beta1.AttemptFailure{{Attempt: 1, Reason: v1beta1.FailureLoadToolFailed, Message: "no"}, {Attempt: 2, Reason: v1beta1.FailureLoadToolFailed, Message: "no again"}}
	assert.Equal(t, failRun{reason: v1beta1.ReasonLoadFailed, message: "the load tool failed 2 times in measurement " + writeCell + ": no again"}, nextStep(s.o))

	status.Failures[0].Reason = v1beta1.FailureLoadPodLost
	assert.IsType(t, createMeasurement{}, nextStep(s.o), "a run goes on when it was not the tool each time")
}

func TestPicksTheExperimentAheadInTheQueue(t *testing.T) {
	experiment := func(name string, minute int, change func(*v1beta1.Experiment)) v1beta1.Experiment {
		e := v1beta1.Experiment{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name),
			CreationTimestamp: metav1.Time{Time: noon.Add(time.Duration(minute) * time.Minute)}}}
		if change != nil {
			change(&e)
		}
		return e
	}
	began := func(e *v1beta1.Experiment) { e.Status.StartedAt = &metav1.Time{Time: noon} }
	ended := func(e *v1beta1.Experiment) { began(e); e.Status.FinishedAt = &metav1.Time{Time: noon} }
	suspended := func(e *v1beta1.Experiment) { e.Spec.Suspend = true }
	deleted := func(e *v1beta1.Experiment) { e.DeletionTimestamp = &metav1.Time{Time: noon} }
	both := func(changes ...func(*v1beta1.Experiment)) func(*v1beta1.Experiment) {
		return func(e *v1beta1.Experiment) {
			for _, change := range changes {
				change(e)
			}
		}
	}
	me := experiment("me", 5, nil)
	for _, test := range []struct {
		name   string
		others []v1beta1.Experiment
		want   string
	}{
		{"nobody if it is alone", nil, ""},
		{"one that has begun", []v1beta1.Experiment{experiment("other", 9, began)}, "other"},
		{"one that has begun and is being deleted, until its store is gone", []v1beta1.Experiment{experiment("other", 9, both(began, deleted))}, "other"},
		{"one that is older", []v1beta1.Experiment{experiment("other", 1, nil)}, "other"},
		{"the first by name of those made in the same second", []v1beta1.Experiment{experiment("a", 5, nil)}, "a"},
		{"nobody if the other is younger", []v1beta1.Experiment{experiment("other", 9, nil)}, ""},
		{"nobody if the other has ended", []v1beta1.Experiment{experiment("other", 1, ended)}, ""},
		{"nobody if the other is suspended before its start", []v1beta1.Experiment{experiment("other", 1, suspended)}, ""},
		{"nobody if the other is deleted before its start", []v1beta1.Experiment{experiment("other", 1, deleted)}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, pickAhead(&me, append(test.others, me)))
		})
	}
}

func TestManyLoadPodsAreToldOfInQuarters(t *testing.T) {
	for _, test := range []struct {
		ready, pods int
		want        string
	}{{0, 1, "0 of 1"}, {1, 2, "1 of 2"}, {6, 7, "6 of 7"}, {1, 8, "at least 0 of 8"}, {7, 8, "at least 6 of 8"}, {63, 64, "at least 48 of 64"}, {16, 64, "at least 16 of 64"}} {
		assert.Equal(t, test.want, readySoFar(test.ready, test.pods))
	}
	for _, pods := range []int{1, 8, 11, 64} {
		told := map[string]bool{}
		for ready := range pods {
			told[readySoFar(ready, pods)] = true
		}
		assert.LessOrEqual(t, len(told), 7, "%d load pods: each text is a write", pods)
	}
}

// storeReplaced replaces the store's pod that the load found at its start.
func storeReplaced(o *observed) {
	o.measurements[writeCell].Status.StorePods = store.Lives(o.objects.Pods)
	o.objects.Pods[0].UID = "another life"
}
