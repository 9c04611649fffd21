package policy

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// Cases that cyclonus does not cover: which pods exist, and input that concerns no node.

func policyOf(t *testing.T, spec string) *networking.NetworkPolicy {
	t.Helper()
	p := &networking.NetworkPolicy{ObjectMeta: meta.ObjectMeta{Namespace: "x", Name: "p"}}
	require.NoError(t, yaml.UnmarshalStrict([]byte(spec), &p.Spec))
	return p
}

func podOf(name, node, address string, change ...func(*core.Pod)) *core.Pod {
	p := &core.Pod{
		ObjectMeta: meta.ObjectMeta{Namespace: "x", Name: name, Labels: map[string]string{"app": name}, CreationTimestamp: meta.Unix(1000, 0)},
		Spec:       core.PodSpec{NodeName: node},
		Status:     core.PodStatus{Phase: core.PodRunning, PodIP: address},
	}
	for _, c := range change {
		c(p)
	}
	return p
}

func finished(p *core.Pod)  { p.Status.Phase = core.PodSucceeded }
func ending(p *core.Pod)    { p.DeletionTimestamp = &meta.Time{Time: time.Unix(2000, 0)} }
func newer(p *core.Pod)     { p.CreationTimestamp = meta.Unix(1500, 0) }
func onHost(p *core.Pod)    { p.Spec.HostNetwork = true }
func twoStacks(p *core.Pod) { p.Status.PodIPs = []core.PodIP{{IP: p.Status.PodIP}, {IP: "10.201.1.9"}} }

func TestIsolatesThePodsThatHaveTheirAddressNow(t *testing.T) {
	for _, test := range []struct {
		name string
		pods []*core.Pod
		want []string // names by address
	}{
		{"those of the node", []*core.Pod{podOf("a", "node1", "10.201.1.2"), podOf("b", "node2", "10.201.2.2")}, []string{"x/a"}},
		{"none that has no address yet", []*core.Pod{podOf("a", "node1", "")}, nil},
		{"none in the network of its node", []*core.Pod{podOf("a", "node1", "10.200.0.11", onHost)}, nil},
		{"none that has finished", []*core.Pod{podOf("a", "node1", "10.201.1.2", finished)}, nil},
		{"one that is ending", []*core.Pod{podOf("a", "node1", "10.201.1.2", ending)}, []string{"x/a"}},
		{"the one that took a finished one's address", []*core.Pod{podOf("a", "node1", "10.201.1.2", finished, newer), podOf("b", "node1", "10.201.1.2")}, []string{"x/b"}},
		{"the one that took an ending one's address", []*core.Pod{podOf("b", "node1", "10.201.1.2"), podOf("a", "node1", "10.201.1.2", ending, newer)}, []string{"x/b"}},
		{"the newer of two with one address", []*core.Pod{podOf("b", "node1", "10.201.1.2", newer), podOf("a", "node1", "10.201.1.2")}, []string{"x/b"}},
		{"by its IPv4 address", []*core.Pod{podOf("a", "node1", "fd00::2", twoStacks)}, []string{"x/a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rules, err := Compile(World{Policies: []*networking.NetworkPolicy{policyOf(t, "podSelector: {}")}, Pods: test.pods}, "node1")
			require.NoError(t, err)
			var names []string
			for _, p := range rules.Pods {
				names = append(names, p.Name)
			}
			assert.Equal(t, test.want, names)
		})
	}
}

func TestAPeerThatIsGoneIsNoPeer(t *testing.T) {
	world := World{
		Policies: []*networking.NetworkPolicy{policyOf(t, "{podSelector: {matchLabels: {app: a}}, policyTypes: [Ingress], ingress: [{from: [{podSelector: {matchLabels: {app: b}}}]}]}")},
		Pods:     []*core.Pod{podOf("a", "node1", "10.201.1.2"), podOf("b", "node2", "10.201.2.2", finished), podOf("c", "node2", "10.201.2.2")},
	}
	rules, err := Compile(world, "node1")
	require.NoError(t, err)
	from := packet{netip.MustParseAddr("10.201.2.2"), netip.MustParseAddr("10.201.1.2"), "tcp", 80}
	assert.False(t, rules.passes(from), "the address is another pod's now")
}

func TestSaysNothingWhereNoPolicySelectsAPod(t *testing.T) {
	world := World{
		Policies: []*networking.NetworkPolicy{policyOf(t, "podSelector: {matchLabels: {app: other}}")},
		Pods:     []*core.Pod{podOf("a", "node1", "10.201.1.2")},
	}
	rules, err := Compile(world, "node1")
	require.NoError(t, err)
	assert.Equal(t, Ruleset{}, rules)
}

func TestTheSameWorldInAnotherOrderIsTheSameRuleset(t *testing.T) {
	one := policyOf(t, "{podSelector: {}, ingress: [{from: [{podSelector: {}}]}]}")
	two := one.DeepCopy()
	two.Name = "q"
	a, b := podOf("a", "node1", "10.201.1.2"), podOf("b", "node1", "10.201.1.3")
	first, err := Compile(World{Policies: []*networking.NetworkPolicy{one, two}, Pods: []*core.Pod{a, b}}, "node1")
	require.NoError(t, err)
	second, err := Compile(World{Policies: []*networking.NetworkPolicy{two, one}, Pods: []*core.Pod{b, a}}, "node1")
	require.NoError(t, err)
	assert.Equal(t, first, second)
}

func TestNamesThePolicyThatCannotBeRead(t *testing.T) {
	for spec, fault := range map[string]string{
		"podSelector: {matchExpressions: [{key: a, operator: Near}]}":                                              "podSelector",
		"{podSelector: {}, ingress: [{from: [{ipBlock: {cidr: 10.0.0.0}}]}]}":                                      "ingress: ipBlock",
		"{podSelector: {}, policyTypes: [Egress], egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8, except: [ten]}}]}]}": "egress: ipBlock: except",
	} {
		_, err := Compile(World{Policies: []*networking.NetworkPolicy{policyOf(t, spec)}, Pods: []*core.Pod{podOf("a", "node1", "10.201.1.2")}}, "node1")
		assert.ErrorContains(t, err, "network policy x/p: "+fault)
	}
}
