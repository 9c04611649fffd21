package charttest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"

	"ringside.dev/ringside/operators/api/v1beta1"
)

// hostsSideBySide tests that a chart with the annotation, and no other, gives each server pods and data of its own.
func (s Store) hostsSideBySide(t *testing.T) {
	assert.Equal(t, s.SideBySide, Load(t, ".").Metadata.Annotations["ringside.dev/side-by-side"] == "true")
	if !s.SideBySide {
		return
	}
	first, second := ServerTypes(t, ".")[0], ServerTypes(t, ".")[1]
	servers := []string{first, first + "-again", second}
	objects := MustRender(t, ".", fmt.Sprintf("server: {types: [%s, %s], instances: [{name: %s}]}\n%s", first, second, servers[1], s.ServerValues))
	sets := setsOf(t, objects)
	assert.Len(t, sets, len(servers))
	for _, server := range servers {
		require.Contains(t, sets, server, "pods labelled with the server's name")
		sets.standAlone(t, server)
		assert.Contains(t, objects, "Service/"+sets[server].Spec.ServiceName)
		assert.Contains(t, objects, "Pod/"+Release+"-"+server+"-"+s.TestPod)
		var service corev1.Service
		objects.Get(t, "Service/"+Release+"-"+server, &service)
		assert.Equal(t, server, service.Labels[v1beta1.LabelServer])
		assert.Equal(t, []string{server}, sets.selected(service.Spec.Selector))
	}
	marked := 0
	for key, object := range objects {
		assert.Equal(t, Release, object.GetLabels()["app.kubernetes.io/instance"], key)
		if _, is := object.GetLabels()[v1beta1.LabelServer]; is && object.GetKind() == "Service" {
			marked++
		}
		sets.selectedByOne(t, objects, key)
	}
	assert.Equal(t, len(servers), marked, "the operator finds the Service of a server by its label")
}

// serverSets has the StatefulSet of each server.
type serverSets map[string]appsv1.StatefulSet

func setsOf(t *testing.T, objects Objects) serverSets {
	t.Helper()
	sets := serverSets{}
	for key, object := range objects {
		if object.GetKind() == "StatefulSet" {
			var set appsv1.StatefulSet
			objects.Get(t, key, &set)
			sets[set.Spec.Template.Labels[v1beta1.LabelServer]] = set
		}
	}
	return sets
}

// selected returns the servers of the pods that a selector selects.
func (s serverSets) selected(selector map[string]string) []string {
	var servers []string
	for server, set := range s {
		if labels.SelectorFromSet(selector).Matches(labels.Set(set.Spec.Template.Labels)) {
			servers = append(servers, server)
		}
	}
	slices.Sort(servers)
	return servers
}

// standAlone tests that only nodes of one server keep away from each other, and that nodes of different servers seek the same machines.
func (s serverSets) standAlone(t *testing.T, server string) {
	t.Helper()
	set := s[server]
	assert.Equal(t, []string{server}, s.selected(set.Spec.Selector.MatchLabels))
	affinity := set.Spec.Template.Spec.Affinity
	apart := affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	require.Len(t, apart, 1)
	assert.Equal(t, []string{server}, s.selected(apart[0].LabelSelector.MatchLabels))
	together := affinity.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution
	require.Len(t, together, 1)
	assert.Equal(t, corev1.LabelHostname, together[0].PodAffinityTerm.TopologyKey)
	assert.Len(t, s.selected(together[0].PodAffinityTerm.LabelSelector.MatchLabels), len(s))
}

// selectedByOne tests that an object selects nodes of one server only, and that a policy admits no nodes of another.
func (s serverSets) selectedByOne(t *testing.T, objects Objects, key string) {
	t.Helper()
	switch objects[key].GetKind() {
	case "Service":
		var service corev1.Service
		objects.Get(t, key, &service)
		assert.Len(t, s.selected(service.Spec.Selector), 1, key)
	case "PodDisruptionBudget":
		var budget policyv1.PodDisruptionBudget
		objects.Get(t, key, &budget)
		assert.Len(t, s.selected(budget.Spec.Selector.MatchLabels), 1, key)
	case "NetworkPolicy":
		var policy networkingv1.NetworkPolicy
		objects.Get(t, key, &policy)
		own := s.selected(policy.Spec.PodSelector.MatchLabels)
		assert.LessOrEqual(t, len(own), 1, key)
		for _, peer := range peersOf(policy.Spec) {
			if len(own) > 0 && peer.PodSelector != nil && peer.NamespaceSelector == nil {
				assert.Subset(t, own, s.selected(peer.PodSelector.MatchLabels), "%s: nodes of different servers must not connect", key)
			}
		}
	}
}

func peersOf(policy networkingv1.NetworkPolicySpec) []networkingv1.NetworkPolicyPeer {
	var peers []networkingv1.NetworkPolicyPeer
	for _, rule := range policy.Ingress {
		peers = append(peers, rule.From...)
	}
	for _, rule := range policy.Egress {
		peers = append(peers, rule.To...)
	}
	return peers
}
