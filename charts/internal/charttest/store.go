package charttest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/yaml"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// Store is the chart of a store, in the folder of the test.
type Store struct {
	Name string
	// TestPod is the last part of the name of the pod of its Helm test.
	TestPod string
	// FirstPort is the port of the first server; the ports of others follow. PortTable is the table of its value port, if it is in one.
	FirstPort int32
	PortTable string
	// Protocol is that of its servers; empty means TCP.
	Protocol corev1.Protocol
	// OwnRules is the number of rules in its policy before those for the load and Prometheus. They allow traffic
	// between its nodes.
	OwnRules int
	// OneServer states that a release runs one server. ServerValues are further values, with which every server can be rendered.
	OneServer    bool
	ServerValues string
	// Bases are values, as YAML, that switch on parts of the chart: together with the chart's own they render every value that accepts text.
	Bases []string
}

// debugNonSafepoints makes the JVM's compilers record the origin of inlined code.
const debugNonSafepoints = "-XX:+DebugNonSafepoints"

// HoldToContract tests the contract of the charts of all stores (docs/reference/store-contract.md).
func (s Store) HoldToContract(t *testing.T) {
	hosted := [][]string{ServerTypes(t, ".")}
	if s.OneServer {
		hosted = slices.Collect(slices.Chunk(hosted[0], 1))
	}
	objects := MustRender(t, ".", "")
	template := StatefulSet(t, objects).Spec.Template

	t.Run("passes Helm's linter", func(t *testing.T) { assert.Empty(t, Lint(t, ".")) })
	t.Run("hosts every server on a port of its own", func(t *testing.T) {
		for _, servers := range hosted {
			s.HostsServers(t, s.withServers(t, servers), servers...)
		}
	})
	t.Run("keeps the last words of a container that fails", func(t *testing.T) { // for example a JVM that does not know an option
		for _, container := range template.Spec.Containers {
			assert.Equal(t, corev1.TerminationMessageFallbackToLogsOnError, container.TerminationMessagePolicy, container.Name)
		}
	})
	t.Run("labels everything", func(t *testing.T) { s.labelsEverything(t, s.withServers(t, hosted[0])) })
	t.Run("brings a Helm test", func(t *testing.T) { assert.Contains(t, objects, "Pod/trial-"+s.TestPod) })
	t.Run("leaves ids to a cluster that chooses them", func(t *testing.T) {
		objects := MustRender(t, ".", `podSecurityContext: {runAsUser: 0, runAsGroup: 0, fsGroup: 0}`)
		var test corev1.Pod
		objects.Get(t, "Pod/trial-"+s.TestPod, &test)
		for _, context := range []*corev1.PodSecurityContext{StatefulSet(t, objects).Spec.Template.Spec.SecurityContext, test.Spec.SecurityContext} {
			assert.Nil(t, context.RunAsUser)
			assert.Nil(t, context.RunAsGroup)
			assert.Nil(t, context.FSGroup)
			assert.True(t, *context.RunAsNonRoot)
		}
	})
	t.Run("keeps its nodes apart as the cluster is built", func(t *testing.T) {
		for values, key := range map[string]string{"": corev1.LabelHostname, "topologyKey: topology.kubernetes.io/zone": corev1.LabelTopologyZone} {
			pod := StatefulSet(t, MustRender(t, ".", values)).Spec.Template
			terms := pod.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
			require.Len(t, terms, 1)
			assert.Equal(t, key, terms[0].TopologyKey)
			assert.Subset(t, pod.Labels, terms[0].LabelSelector.MatchLabels)
		}
	})
	t.Run("lets the load and Prometheus in", func(t *testing.T) { s.letsLoadAndPrometheusIn(t, objects, template) })
	t.Run("holds the load to it", func(t *testing.T) { holdsLoadToIt(t, objects) })
	t.Run("gives profiles to the load", s.givesProfiles)
	s.holdsParts(t)
	// A user who may create an Experiment chooses the values of a chart, and must not choose the pods that the operator creates.
	t.Run("creates nothing but what it creates, whatever text values have", func(t *testing.T) { noInjection(t, ".", s.Bases...) })
	t.Run("names the class of every server", func(t *testing.T) {
		var classes map[string]string
		require.NoError(t, yaml.Unmarshal([]byte(Load(t, ".").Metadata.Annotations["ringside.dev/server-classes"]), &classes))
		assert.ElementsMatch(t, ServerTypes(t, "."), slices.Collect(maps.Keys(classes)))
		for server, class := range classes {
			assert.Regexp(t, `^[a-z0-9.]+\.[A-Z]\w+$`, class, server)
		}
	})
}

func (s Store) withServers(t *testing.T, servers []string) Objects {
	return MustRender(t, ".", "server: {types: ["+strings.Join(servers, ", ")+"]}\n"+s.ServerValues)
}

// HostsServers tests that objects host these servers, each on a port of its own behind a Service of its own.
func (s Store) HostsServers(t *testing.T, objects Objects, servers ...string) {
	t.Helper()
	container := StatefulSet(t, objects).Spec.Template.Spec.Containers[0]
	names := map[string]bool{}
	for _, port := range container.Ports {
		assert.False(t, names[port.Name], "%s twice", port.Name)
		assert.LessOrEqual(t, len(port.Name), 15)
		names[port.Name] = true
	}
	var told []string
	for i, server := range servers {
		var service corev1.Service
		objects.Get(t, "Service/trial-"+server, &service)
		assert.Equal(t, server, service.Labels[v1beta1.LabelServer])
		assert.Equal(t, corev1.ClusterIPNone, service.Spec.ClusterIP)
		assert.False(t, service.Spec.PublishNotReadyAddresses, "load must go to pods that are ready")
		require.Len(t, service.Spec.Ports, 1)
		port := service.Spec.Ports[0]
		assert.Equal(t, v1beta1.ServerPortName, port.Name)
		assert.Equal(t, s.Protocol, port.Protocol)
		assert.Equal(t, s.FirstPort+int32(i), port.Port)
		assert.Contains(t, container.Ports, corev1.ContainerPort{Name: port.TargetPort.StrVal, Protocol: s.Protocol, ContainerPort: port.Port})
		told = append(told, fmt.Sprintf("%s:%d", server, port.Port))
	}
	assert.Equal(t, strings.Join(told, ","), Environment(container)["RINGSIDE_SERVERS"])
}

func (s Store) labelsEverything(t *testing.T, objects Objects) {
	for key, object := range objects {
		labels := object.GetLabels()
		assert.Equal(t, s.Name, labels["app.kubernetes.io/name"], key)
		assert.Equal(t, Release, labels["app.kubernetes.io/instance"], key)
		assert.NotEmpty(t, labels["app.kubernetes.io/version"], key)
		assert.Equal(t, "ringside", labels["app.kubernetes.io/part-of"], key)
		assert.Equal(t, "Helm", labels["app.kubernetes.io/managed-by"], key)
		assert.NotEmpty(t, labels["app.kubernetes.io/component"], key)
	}
	set := StatefulSet(t, objects)
	assert.Contains(t, set.Labels, "helm.sh/chart")
	labels := set.Spec.Template.Labels
	assert.Equal(t, v1beta1.StoreComponent, labels["app.kubernetes.io/component"])
	assert.Equal(t, "true", labels[v1beta1.LabelScrape])
	assert.NotContains(t, labels, "helm.sh/chart", "a new chart's version restarts no pod")
	for _, claim := range set.Spec.VolumeClaimTemplates {
		assert.Equal(t, Release, claim.Labels["app.kubernetes.io/instance"], "the operator removes what carries it")
	}
}

func (s Store) letsLoadAndPrometheusIn(t *testing.T, objects Objects, template corev1.PodTemplateSpec) {
	var policy networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/trial", &policy)
	assert.Subset(t, template.Labels, policy.Spec.PodSelector.MatchLabels)
	assert.Contains(t, policy.Spec.PolicyTypes, networkingv1.PolicyTypeEgress)
	if s.OwnRules == 0 {
		assert.Empty(t, policy.Spec.Egress)
	}
	require.Len(t, policy.Spec.Ingress, s.OwnRules+2)
	load, metrics := policy.Spec.Ingress[s.OwnRules], policy.Spec.Ingress[s.OwnRules+1]
	assert.Equal(t, map[string]string{v1beta1.LabelReleasePrefix + Release: "true"}, load.From[0].PodSelector.MatchLabels, "load pods of this store, and of no other")
	assert.Nil(t, load.From[0].NamespaceSelector)
	for _, port := range load.Ports {
		if s.Protocol != "" && port.Port.StrVal != v1beta1.ProfilePortName && assert.NotNil(t, port.Protocol, "a port without a protocol is TCP's") {
			assert.Equal(t, s.Protocol, *port.Protocol)
		}
	}
	assert.Equal(t, "prometheus", metrics.From[0].PodSelector.MatchLabels["app.kubernetes.io/component"])
	assert.Equal(t, "prometheus", metrics.From[1].PodSelector.MatchLabels["app.kubernetes.io/name"], "the label of a Prometheus that its operator made")
	var wider networkingv1.NetworkPolicy
	MustRender(t, ".", `networkPolicy: {loadFrom: [{ipBlock: {cidr: 192.0.2.0/24}}]}`).Get(t, "NetworkPolicy/trial", &wider)
	assert.Contains(t, wider.Spec.Ingress[s.OwnRules].From, networkingv1.NetworkPolicyPeer{IPBlock: &networkingv1.IPBlock{CIDR: "192.0.2.0/24"}})
	assert.NotContains(t, MustRender(t, ".", `networkPolicy: {enabled: false}`), "NetworkPolicy/trial")
}

// holdsLoadToIt tests that load pods can reach only the store's pods, DNS, and the API server at any address.
func holdsLoadToIt(t *testing.T, objects Objects) {
	load := func(objects Objects) networkingv1.NetworkPolicySpec {
		var policy networkingv1.NetworkPolicy
		objects.Get(t, "NetworkPolicy/trial-load", &policy)
		return policy.Spec
	}
	policy := load(objects)
	assert.Equal(t, map[string]string{v1beta1.LabelReleasePrefix + Release: "true"}, policy.PodSelector.MatchLabels)
	assert.Equal(t, []networkingv1.PolicyType{networkingv1.PolicyTypeEgress}, policy.PolicyTypes, "who may come in is said by charts/ringside")
	require.Len(t, policy.Egress, 3)
	own, dns, api := policy.Egress[0], policy.Egress[1], policy.Egress[2]
	require.Len(t, own.To, 1)
	assert.Equal(t, map[string]string{"app.kubernetes.io/instance": Release}, own.To[0].PodSelector.MatchLabels)
	assert.Nil(t, own.To[0].NamespaceSelector)
	assert.Empty(t, own.Ports, "servers, counters, profiles: what the store listens on")
	assert.Len(t, dns.To, 3)
	assert.Len(t, dns.Ports, 6)
	assert.Empty(t, api.To, "no chart knows its address")
	var ports []int32
	for _, port := range api.Ports {
		assert.Nil(t, port.Protocol, "a port without a protocol is TCP's")
		ports = append(ports, port.Port.IntVal)
	}
	assert.Equal(t, []int32{443, 6443, 8443, 16443}, ports)

	wider := load(MustRender(t, ".", `networkPolicy: {loadEgress: {apiServer: {to: [{ipBlock: {cidr: 192.0.2.1/32}}], ports: [8443]}, more: [{to: [{ipBlock: {cidr: 192.0.2.0/24}}]}]}}`))
	require.Len(t, wider.Egress, 4)
	assert.Equal(t, "192.0.2.1/32", wider.Egress[2].To[0].IPBlock.CIDR)
	assert.EqualValues(t, 8443, wider.Egress[2].Ports[0].Port.IntVal)
	assert.Equal(t, "192.0.2.0/24", wider.Egress[3].To[0].IPBlock.CIDR)
	for _, without := range []string{`networkPolicy: {loadEgress: {enabled: false}}`, `networkPolicy: {enabled: false}`} {
		assert.NotContains(t, MustRender(t, ".", without), "NetworkPolicy/trial-load")
	}
}

// givesProfiles tests that profiles are available on a TCP port that the load may reach, with a folder for the
// profiler's unpacked library, and that nothing of it remains when disabled.
func (s Store) givesProfiles(t *testing.T) {
	with := MustRender(t, ".", `profile: {enabled: true, port: 9500}`)
	pod := StatefulSet(t, with).Spec.Template.Spec
	container := pod.Containers[0]
	assert.Contains(t, container.Ports, corev1.ContainerPort{Name: v1beta1.ProfilePortName, ContainerPort: 9500})
	assert.Equal(t, "9500", Environment(container)["RINGSIDE_PROFILE_PORT"])
	assert.Contains(t, s.loadMayReach(t, with), networkingv1.NetworkPolicyPort{Port: ptr.To(intstr.FromString(v1beta1.ProfilePortName))})
	assert.True(t, rendered(t, with, debugNonSafepoints))
	assert.True(t, hasScratch(pod, "/tmp"), "the root file system is read-only")

	without := MustRender(t, ".", `profile: {enabled: false, port: 9500}`)
	container = StatefulSet(t, without).Spec.Template.Spec.Containers[0]
	assert.NotContains(t, Environment(container), "RINGSIDE_PROFILE_PORT")
	for _, port := range container.Ports {
		assert.NotEqual(t, v1beta1.ProfilePortName, port.Name)
	}
	for _, port := range s.loadMayReach(t, without) {
		assert.NotEqual(t, v1beta1.ProfilePortName, port.Port.StrVal)
	}
	assert.False(t, rendered(t, without, debugNonSafepoints))
}

// loadMayReach returns the ports that the policy opens to load pods.
func (s Store) loadMayReach(t *testing.T, objects Objects) []networkingv1.NetworkPolicyPort {
	var policy networkingv1.NetworkPolicy
	objects.Get(t, "NetworkPolicy/trial", &policy)
	return policy.Spec.Ingress[s.OwnRules].Ports
}

// rendered reports whether the text occurs in any object.
func rendered(t *testing.T, objects Objects, text string) bool {
	all, err := json.Marshal(objects)
	require.NoError(t, err)
	return strings.Contains(string(all), text)
}

// hasScratch reports whether the pod's first container has a writable emptyDir at the path.
func hasScratch(pod corev1.PodSpec, path string) bool {
	for _, mount := range pod.Containers[0].VolumeMounts {
		for _, volume := range pod.Volumes {
			if mount.MountPath == path && !mount.ReadOnly && mount.Name == volume.Name && volume.EmptyDir != nil {
				return true
			}
		}
	}
	return false
}

// StatefulSet returns the StatefulSet of the store.
func StatefulSet(t *testing.T, objects Objects) appsv1.StatefulSet {
	t.Helper()
	var set appsv1.StatefulSet
	objects.Get(t, "StatefulSet/trial", &set)
	return set
}

// Environment returns the variables of a container by name.
func Environment(container corev1.Container) map[string]string {
	values := map[string]string{}
	for _, variable := range container.Env {
		values[variable.Name] = variable.Value
	}
	return values
}

// ServerTypes returns the server types that the chart's schema allows.
func ServerTypes(t *testing.T, folder string) []string {
	t.Helper()
	var schema struct {
		Properties struct {
			Server struct {
				Properties struct {
					Types struct{ Items struct{ Enum []string } }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(Load(t, folder).Schema, &schema))
	types := schema.Properties.Server.Properties.Types.Items.Enum
	require.NotEmpty(t, types)
	return types
}
