package store

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/storechart"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func storePod(name string) corev1.Pod {
	return corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, UID: "u", CreationTimestamp: metav1.Time{Time: noon},
		Labels: map[string]string{v1beta1.LabelComponent: "store", v1beta1.LabelInstance: "s"}},
		Status: corev1.PodStatus{Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: noon}}}}}
}

// hsha is the server of ready2.
var hsha = Server{Release: "s", Name: "hsha"}

func ready2() Objects {
	endpoint := func(ip string) discoveryv1.Endpoint {
		return discoveryv1.Endpoint{Addresses: []string{ip}, Conditions: discoveryv1.EndpointConditions{Ready: ptr.To(true)}}
	}
	return Objects{
		StatefulSets: []appsv1.StatefulSet{{ObjectMeta: metav1.ObjectMeta{Name: "s", Generation: 1}, Spec: appsv1.StatefulSetSpec{Replicas: ptr.To(int32(2))},
			Status: appsv1.StatefulSetStatus{ObservedGeneration: 1, ReadyReplicas: 2, UpdatedReplicas: 2}}},
		Pods:     []corev1.Pod{storePod("s-1"), storePod("s-0"), {ObjectMeta: metav1.ObjectMeta{Name: "helper"}}},
		Services: []corev1.Service{{ObjectMeta: metav1.ObjectMeta{Name: "hsha", Labels: map[string]string{v1beta1.LabelServer: "hsha", v1beta1.LabelInstance: "s"}}}},
		Slices: []discoveryv1.EndpointSlice{{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{discoveryv1.LabelServiceName: "hsha"}},
			Ports:     []discoveryv1.EndpointPort{{Name: ptr.To("metrics"), Port: ptr.To(int32(1))}, {Name: ptr.To("server"), Port: ptr.To(int32(9161))}},
			Endpoints: []discoveryv1.Endpoint{endpoint("10.0.0.2"), endpoint("10.0.0.1")}}},
	}
}

func TestStoreIsReadyWhenEveryNodeAnswers(t *testing.T) {
	got := Ready([]storechart.Workload{{Kind: "StatefulSet", Name: "s"}}, ready2(), 2, []Server{hsha})
	assert.True(t, got.Ready(), got.Waiting)
	assert.Equal(t, map[Server][]string{hsha: {"10.0.0.1:9161", "10.0.0.2:9161"}}, got.Endpoints)
	assert.Equal(t, []int32{9161}, got.Ports(hsha))
}

func TestStoreIsNotReadyWhileSomethingIsMissing(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Objects)
		waits  string
	}{
		{"a workload is not made", func(o *Objects) { o.StatefulSets = nil }, "StatefulSet s to be created"},
		{"a pod is not ready", func(o *Objects) { o.StatefulSets[0].Status.ReadyReplicas = 1 }, "StatefulSet s (1 of 2 pods ready)"},
		{"the controller has not looked yet", func(o *Objects) { o.StatefulSets[0].Generation = 2 }, "StatefulSet s (2 of 2 pods ready)"},
		{"two are not ready, in any order", func(o *Objects) {
			first := o.StatefulSets[0].DeepCopy()
			first.Name, first.Status.ReadyReplicas = "a", 0
			o.StatefulSets[0].Status.ReadyReplicas = 1
			o.StatefulSets = append(o.StatefulSets, *first)
		}, "StatefulSet a (0 of 2 pods ready)"},
		{"a deployment beside is not ready", func(o *Objects) { o.Deployments = []appsv1.Deployment{{ObjectMeta: metav1.ObjectMeta{Name: "d"}}} }, "Deployment d (0 of 1 pods ready)"},
		{"a daemon set has no pod yet", func(o *Objects) { o.DaemonSets = []appsv1.DaemonSet{{ObjectMeta: metav1.ObjectMeta{Name: "d"}}} }, "DaemonSet d (0 of 0 pods ready)"},
		{"there is no store pod", func(o *Objects) { o.Pods = o.Pods[2:] }, "store pods to be created"},
		{"fewer nodes are there than were asked for, and none misses", func(o *Objects) {
			o.Pods, o.StatefulSets[0].Spec.Replicas, o.Slices[0].Endpoints = o.Pods[1:], ptr.To(int32(1)), o.Slices[0].Endpoints[:1]
		}, "all requested store pods (1 of 2 ready)"},
		{"an endpoint is not ready", func(o *Objects) { o.Slices[0].Endpoints[0].Conditions.Ready = ptr.To(false) }, "server hsha to answer on all nodes (1 of 2)"},
		{"the service is missing", func(o *Objects) { o.Services = nil }, "server hsha to answer on all nodes (0 of 2)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			objects := ready2()
			test.change(&objects)
			assert.Equal(t, test.waits, Ready([]storechart.Workload{{Kind: "StatefulSet", Name: "s"}}, objects, 2, []Server{hsha}).Waiting)
		})
	}
}

func TestReady_everyReleaseAnswersOnItsOwnPods(t *testing.T) {
	both := ready2()
	service, slice := both.Services[0], both.Slices[0]
	both.Services, both.Slices = nil, nil
	for i, release := range []string{"a", "b"} {
		both.Pods[i].Labels[v1beta1.LabelInstance] = release
		service.Name, service.Labels = release, map[string]string{v1beta1.LabelServer: "hsha", v1beta1.LabelInstance: release}
		slice.Labels = map[string]string{discoveryv1.LabelServiceName: release}
		slice.Endpoints = ready2().Slices[0].Endpoints[i : i+1]
		both.Services, both.Slices = append(both.Services, service), append(both.Slices, slice)
	}
	servers := []Server{{"a", "hsha"}, {"b", "hsha"}}
	got := Ready(nil, both, 2, servers)
	assert.True(t, got.Ready(), got.Waiting)
	assert.Equal(t, map[Server][]string{servers[0]: {"10.0.0.2:9161"}, servers[1]: {"10.0.0.1:9161"}}, got.Endpoints)
	both.Slices[1].Endpoints = nil
	assert.Equal(t, "server hsha to answer on all nodes (0 of 1)", Ready(nil, both, 2, servers).Waiting)
	assert.Equal(t, "server hsha to answer on all nodes (0 of 0)", Ready(nil, both, 2, []Server{{"c", "hsha"}}).Waiting, "no pod runs it")
}

func TestChangeTellsOneLifeOfAPodFromTheNext(t *testing.T) {
	before := []v1beta1.StorePod{{Name: "s-0", UID: "a", Restarts: 1}}
	assert.Empty(t, Change(before, []v1beta1.StorePod{{Name: "s-0", UID: "a", Restarts: 1}}))
	assert.Equal(t, "store pod s-0 restarted", Change(before, []v1beta1.StorePod{{Name: "s-0", UID: "a", Restarts: 2}}))
	assert.Equal(t, "store pod s-0 was replaced", Change(before, []v1beta1.StorePod{{Name: "s-0", UID: "b"}}))
	assert.Equal(t, "store pod s-0 disappeared", Change(before, nil))
}

func TestInterruptionIsALifeThatEndedOrAPodThatWasNotReady(t *testing.T) {
	at := func(d time.Duration) *metav1.Time { return &metav1.Time{Time: noon.Add(d)} }
	before := []v1beta1.StorePod{{Name: "s-0", UID: "a", ReadySince: at(0)}}
	for _, test := range []struct {
		says  string
		after []v1beta1.StorePod
	}{
		{"", []v1beta1.StorePod{{Name: "s-0", UID: "a", ReadySince: at(0)}}},
		{"store pod s-0 was not ready for a while", []v1beta1.StorePod{{Name: "s-0", UID: "a", ReadySince: at(time.Second)}}},
		{"store pod s-0 is not ready", []v1beta1.StorePod{{Name: "s-0", UID: "a"}}},
		{"store pod s-0 was replaced", []v1beta1.StorePod{{Name: "s-0", UID: "b", ReadySince: at(0)}}},
	} {
		assert.Equal(t, test.says, Interruption(before, test.after))
	}
	older := []v1beta1.StorePod{{Name: "s-0", UID: "a"}}
	assert.Empty(t, Interruption(older, before), "an operator that did not record readiness says nothing against it")
}

func TestNodesAreThoseOfTheManifest(t *testing.T) {
	workloads := []storechart.Workload{{Kind: "StatefulSet", Name: "s", Store: true, StorePods: 4}, {Kind: "Deployment", Name: "helper"}, {Kind: "DaemonSet", Name: "d", Store: true}}
	assert.Equal(t, 4, Nodes(workloads, Objects{}))
	assert.Equal(t, 7, Nodes(workloads, Objects{DaemonSets: []appsv1.DaemonSet{{ObjectMeta: metav1.ObjectMeta{Name: "d"}, Status: appsv1.DaemonSetStatus{DesiredNumberScheduled: 3}}}}))
}

func TestCreationFaultIsTheLatestWordOfTheController(t *testing.T) {
	event := func(reason string, minute int) corev1.Event {
		return corev1.Event{Reason: reason, Message: reason + "!", LastTimestamp: metav1.Time{Time: noon.Add(time.Duration(minute) * time.Minute)}}
	}
	newer := corev1.Event{Reason: "FailedCreate", Message: "new API", EventTime: metav1.NewMicroTime(noon.Add(time.Hour))}
	assert.Empty(t, CreationFault(nil))
	assert.Empty(t, CreationFault([]corev1.Event{event("Suspended", 1)}))
	assert.Equal(t, "FailedCreate!", CreationFault([]corev1.Event{event("SuccessfulCreate", 1), event("FailedCreate", 2)}))
	assert.Empty(t, CreationFault([]corev1.Event{event("SuccessfulCreate", 2), event("FailedCreate", 1)}), "a quota that was full for a moment")
	assert.Equal(t, "new API", CreationFault([]corev1.Event{event("SuccessfulCreate", 2), newer}))
}

func TestPullIsJudgedFromWhenItBegan(t *testing.T) {
	pod := storePod("s-0")
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: noon.Add(time.Hour)}}}
	pod.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "init", State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{FinishedAt: metav1.Time{Time: noon.Add(2 * time.Hour)}}}}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", Image: "i:1", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImagePull"}}}}
	assert.Nil(t, FindFault([]corev1.Pod{pod}, patience, noon.Add(2*time.Hour+119*time.Second)), "it waited an hour for a node, and an hour for its init container")
	assert.NotNil(t, FindFault([]corev1.Pod{pod}, patience, noon.Add(2*time.Hour+2*time.Minute)))
}

func TestRestartsBeforeTheStoreAnsweredAreNoFault(t *testing.T) {
	pod := storePod("s-0")
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", RestartCount: 5}}
	known := Patience{Scheduling: time.Minute, Known: []v1beta1.StorePod{{Name: "s-0", UID: "u", Restarts: 3}}}
	assert.Nil(t, FindFault([]corev1.Pod{pod}, known, noon), "its node was started three times before")
	pod.Status.ContainerStatuses[0].RestartCount = 6
	assert.NotNil(t, FindFault([]corev1.Pod{pod}, known, noon))
}

func TestDelayNamesThePodThatNoNodeTakesYet(t *testing.T) {
	pod := storePod("s-0")
	assert.Empty(t, FindDelay([]corev1.Pod{pod}, patience))
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: "0/4 nodes",
		LastTransitionTime: metav1.Time{Time: noon.Add(time.Minute)}}}
	assert.Equal(t, "pod s-0 is not scheduled yet: 0/4 nodes (timeout at 12:02:00)", FindDelay([]corev1.Pod{pod}, patience))
	pod.Status.Conditions = nil
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Image: "i:1", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: "429"}}}}
	assert.Equal(t, "image i:1 of pod s-0 cannot be pulled yet: 429 (timeout at 12:02:00)", FindDelay([]corev1.Pod{pod}, patience))
}

func TestACrashedContainersLastWordsAreThoseThatTheKubeletKept(t *testing.T) {
	const words = "Conflicting collector combinations in option list"
	ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Error", ExitCode: 1, Message: words + "\n"}}
	for name, status := range map[string]corev1.ContainerStatus{
		"while it waits for its next start": {Name: "c", RestartCount: 3, LastTerminationState: ended},
		"when it has just ended":            {Name: "c", RestartCount: 3, State: ended, LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Message: "older"}}},
	} {
		t.Run(name, func(t *testing.T) {
			pod := storePod("s-0")
			pod.Status.ContainerStatuses = []corev1.ContainerStatus{status}
			fault := FindFault([]corev1.Pod{pod}, patience, noon)
			require.NotNil(t, fault)
			assert.Equal(t, words, fault.LastWords)
		})
	}
}

var patience = Patience{Scheduling: time.Minute, Pulling: 2 * time.Minute}

func TestFindsFaultsThatDoNotPassByThemselves(t *testing.T) {
	because := func(reason, message string) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", Image: "i:1", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}}}
		}
	}
	waiting := func(reason string) func(*corev1.Pod) { return because(reason, "why") }
	unschedulable := func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: "0/4 nodes"}}
	}
	crashed := func(times int32) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "c", RestartCount: times,
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "OOMKilled", ExitCode: 137}}}}
		}
	}
	const missing = "image i:1 of pod s-0 cannot be pulled; build it and load or push it (make images), or correct registry and tag: why"
	for _, test := range []struct {
		name   string
		change func(*corev1.Pod)
		age    time.Duration
		says   string
	}{
		{"nothing if the pod starts", waiting("ContainerCreating"), time.Hour, ""},
		{"nothing if a registry hiccups once", waiting("ErrImagePull"), 5 * time.Second, ""},
		{"nothing if a registry throttles", because("ErrImagePull", "429 Too Many Requests"), 119 * time.Second, ""},
		{"an image that cannot be pulled for minutes", waiting("ImagePullBackOff"), 2 * time.Minute, missing},
		{"nothing if an image is not found for a moment", because("ErrImagePull", "i:1: not found"), 19 * time.Second, ""},
		{"an image that there is not", because("ErrImagePull", "i:1: not found"), 20 * time.Second, strings.ReplaceAll(missing, "why", "i:1: not found")},
		{"an image that nobody may pull", because("ImagePullBackOff", "pull access denied"), 20 * time.Second, strings.ReplaceAll(missing, "why", "pull access denied")},
		{"an image that must be there and is not, at once", waiting("ErrImageNeverPull"), 0, missing},
		{"a container that cannot be made", waiting("CreateContainerConfigError"), time.Minute, "container c of pod s-0 cannot start: why"},
		{"nothing if volumes are still being made", unschedulable, 30 * time.Second, ""},
		{"a pod that no node takes", unschedulable, time.Minute, "pod s-0 could not be scheduled within 1m0s: 0/4 nodes; add or label nodes, request less, lower store.values.nodes, or raise store.readyTimeout (twice that time)"},
		{"nothing if it crashed twice", crashed(2), time.Hour, ""},
		{"a container that crashes again and again", crashed(3), time.Minute, "container c of pod s-0 crashed 3 times (OOMKilled, exit code 137)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			pod := storePod("s-0")
			test.change(&pod)
			fault := FindFault([]corev1.Pod{pod}, patience, noon.Add(test.age))
			if test.says == "" {
				assert.Nil(t, fault)
				return
			}
			require.NotNil(t, fault)
			assert.Equal(t, test.says, fault.Message)
			pod.DeletionTimestamp = &metav1.Time{Time: noon}
			assert.Nil(t, FindFault([]corev1.Pod{pod}, patience, noon.Add(test.age)), "a pod that is being removed is nobody's fault")
		})
	}
}

// What kubelets report, by the container runtime and by how the image got to the node. The digest gate accepts each of these digests.
func TestReadsTheDigestThatANodeReports(t *testing.T) {
	hex := strings.Repeat("0123456789abcdef", 4)
	for imageID, want := range map[string]string{
		"registry.example/team/ringside-stub@sha256:" + hex: "sha256:" + hex, // containerd, pulled: index or manifest
		"sha256:" + hex: "sha256:" + hex, // containerd, loaded: configuration
		"docker.io/library/import-2026-11-25@sha256:" + hex:                   "sha256:" + hex, // kind: ctr images import --digests
		"import-2026-11-25@sha256:" + hex:                                     "sha256:" + hex,
		"docker-pullable://registry.example/team/ringside-stub@sha256:" + hex: "sha256:" + hex, // docker, pulled
		"docker://sha256:" + hex:                                              "sha256:" + hex, // docker, loaded: configuration
		hex:                                                                   hex,             // CRI-O: configuration
		"":                                                                    "",
	} {
		pod := corev1.Pod{Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{Name: "load", ImageID: imageID}}}}
		assert.Equal(t, want, ImageDigest(pod, "load"), imageID)
	}
}

func TestReadsProofsOutOfALog(t *testing.T) {
	pod := storePod("s-0")
	pod.Spec.NodeName = "node1"
	pod.Spec.Containers = []corev1.Container{{Name: "cassandra"}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "cassandra", ImageID: "r/ringside-cassandra@sha256:12ab"}}
	log := strings.Join([]string{
		"INFO starting",
		`INFO [main] 12:00:00 ringside-proof {"server":"hsha","class":"old.H","port":9160}`,
		`INFO [main] 12:00:01 ringside-proof {"server":"disruptor","class":"c.D","address":"10.0.0.1","port":9161,"plugin_sha256":"f0","libthrift":"0.9.2"}`,
		`INFO [main] 12:00:02 ringside-proof {"server":"hsha","class":"c.H","port":9160,"environment":{"jvm":"1.8"}} (layout's end)`,
	}, "\n")
	proofs, err := ReadProofs(strings.NewReader(log), pod, nil)
	require.NoError(t, err)
	assert.Equal(t, []v1beta1.Proof{
		{Release: "s", Server: "hsha", Class: "c.H", Port: 9160, Pod: "s-0", Node: "node1", ImageDigest: "sha256:12ab", Environment: map[string]string{"jvm": "1.8"}},
		{Release: "s", Server: "disruptor", Class: "c.D", Address: "10.0.0.1", Port: 9161, PluginSHA256: "f0", Pod: "s-0", Node: "node1", ImageDigest: "sha256:12ab"},
	}, proofs)

	_, err = ReadProofs(strings.NewReader(`ringside-proof {"server":`), pod, nil)
	malformed := (*MalformedProofError)(nil)
	assert.ErrorAs(t, err, &malformed)
	assert.ErrorContains(t, err, "read the proof line of pod s-0")
	_, err = ReadProofs(strings.NewReader(`ringside-proof {"server":"`+strings.Repeat("x", 40_000)), pod, nil)
	assert.ErrorContains(t, err, "it is longer than 32768 bytes")

	proofs, err = ReadProofs(strings.NewReader(strings.Repeat("x", 2_000_000)+"\n"+`ringside-proof {"server":"hsha"}`), pod, nil)
	require.NoError(t, err, "a store may log lines of any length")
	assert.Len(t, proofs, 1)
	proofs, err = ReadProofs(strings.NewReader(strings.Repeat("a line\n", ProofLog/7+1)+`ringside-proof {"server":"hsha"}`), pod, nil)
	require.NoError(t, err)
	assert.Empty(t, proofs, "a log is not searched for ever")
}

func TestKeepsTheSettingsThatWereAskedForAndThoseThatDifferFromTheDefaults(t *testing.T) {
	line := `ringside-proof {"server":"hsha","settings":{"concurrent_reads":"16","jvm.collectors":"G1"},"defaults":{"concurrent_writes":"32","phi":"8.0"}}`
	proofs, err := ReadProofs(strings.NewReader(line), corev1.Pod{}, []string{"concurrent_writes", "unheard_of"})
	require.NoError(t, err)
	require.Len(t, proofs, 1)
	assert.Equal(t, map[string]string{"concurrent_reads": "16", "concurrent_writes": "32", "jvm.collectors": "G1"}, proofs[0].Settings)
	assert.Len(t, proofs[0].SettingsSHA256, 64)
}

func TestDescribesNodesAndKeepsUnknownNames(t *testing.T) {
	node := corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1", Labels: map[string]string{v1beta1.LabelDisk: "SSD"}},
		Status: corev1.NodeStatus{NodeInfo: corev1.NodeSystemInfo{KernelVersion: "6.1"}}}
	assert.Equal(t, []string{"n1", "n2"}, NodesOf([]corev1.Pod{{Spec: corev1.PodSpec{NodeName: "n2"}}, {Spec: corev1.PodSpec{NodeName: "n1"}}, {Spec: corev1.PodSpec{NodeName: "n1"}}}))
	infos := Describe([]corev1.Node{node}, []string{"n1", "gone"})
	assert.Equal(t, "ssd", infos[0].Disk)
	assert.Equal(t, "6.1", infos[0].Kernel)
	assert.Equal(t, v1beta1.NodeInfo{Name: "gone", Disk: "unknown"}, infos[1])
}

func TestKnowsTheCPULimitsThatALimitRangeGave(t *testing.T) {
	for name, test := range map[string]struct {
		annotation string
		want       []string
	}{
		"nothing given":              {"", nil},
		"requests alone":             {"LimitRanger plugin set: cpu, memory request for container store", nil},
		"a memory limit":             {"LimitRanger plugin set: cpu request for container store; memory limit for container store", nil},
		"a CPU limit":                {"LimitRanger plugin set: cpu limit for container store", []string{"container store of store pod s-0"}},
		"a CPU limit among others":   {"LimitRanger plugin set: cpu, memory request for container store; cpu, ephemeral-storage, memory limit for container store", []string{"container store of store pod s-0"}},
		"of one container of two":    {"LimitRanger plugin set: memory limit for container store; cpu, memory limit for container beside", []string{"container beside of store pod s-0"}},
		"of what ends before it all": {"LimitRanger plugin set: cpu, memory limit for init container prepare", nil},
	} {
		t.Run(name, func(t *testing.T) {
			pod := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "s-0", Annotations: map[string]string{"kubernetes.io/limit-ranger": test.annotation}}}
			assert.Equal(t, test.want, LimitedByRange([]corev1.Pod{pod}))
		})
	}
}

func TestCountersAreWhereAllPodsOfTheStoreTellThem(t *testing.T) {
	pod := func(name, ip string, ports ...corev1.ContainerPort) corev1.Pod {
		p := storePod(name)
		p.Status.PodIP = ip
		p.Spec.Containers = []corev1.Container{{Name: "proxy"}, {Name: "store", Ports: ports}}
		return p
	}
	udp := func(name string, number int32) corev1.ContainerPort {
		return corev1.ContainerPort{Name: name, ContainerPort: number, Protocol: corev1.ProtocolUDP}
	}
	helper := pod("helper", "10.0.0.9", udp("counters", 9))
	helper.Labels = nil
	second := pod("s-1", "10.0.0.2", udp("gossip", 1), udp("counters", 9406))
	first := pod("s-0", "fd00::1", udp("counters", 9405))
	assert.Equal(t, []string{"[fd00::1]:9405", "10.0.0.2:9406"}, Counters([]corev1.Pod{second, helper, first}))

	for name, silent := range map[string]corev1.Pod{
		"no port":               pod("s-2", "10.0.0.3"),
		"a port of TCP":         pod("s-2", "10.0.0.3", corev1.ContainerPort{Name: "counters", ContainerPort: 9405, Protocol: corev1.ProtocolTCP}),
		"a port without name":   pod("s-2", "10.0.0.3", udp("", 9405)),
		"a pod with no address": pod("s-2", "", udp("counters", 9405)),
	} {
		assert.Empty(t, Counters([]corev1.Pod{first, second, silent}), name)
	}
	assert.Empty(t, Counters(nil))
}

func TestProfilersAreThePodsOfTheStoreWhetherTheyGiveProfilesOrNot(t *testing.T) {
	pod := func(name, ip string, ports ...corev1.ContainerPort) corev1.Pod {
		p := storePod(name)
		p.Status.PodIP = ip
		p.Spec.Containers = []corev1.Container{{Name: "proxy"}, {Name: "store", Ports: ports}}
		return p
	}
	port := corev1.ContainerPort{Name: "profile", ContainerPort: 9406, Protocol: corev1.ProtocolTCP}
	helper := pod("helper", "10.0.0.9", port)
	helper.Labels = nil
	assert.Equal(t, []string{"s-0=[fd00::1]:9406", "s-1=", "s-2=", "s-3="}, Profilers([]corev1.Pod{
		pod("s-3", "10.0.0.3"), helper, pod("s-0", "fd00::1", port), pod("s-1", "", port),
		pod("s-2", "10.0.0.2", corev1.ContainerPort{Name: "profile", ContainerPort: 9406, Protocol: corev1.ProtocolUDP}),
	}))
	assert.Empty(t, Profilers(nil))
}
