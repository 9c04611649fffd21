package policy

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"sigs.k8s.io/knftables"
)

// stubborn is a packet filter that counts its transactions, and fails on request.
type stubborn struct {
	*knftables.Fake
	written int
	fault   error
}

func (f *stubborn) Run(ctx context.Context, tx *knftables.Transaction) error {
	if f.fault != nil {
		return f.fault
	}
	f.written++
	return f.Fake.Run(ctx, tx)
}

func TestWritesRulesOnlyWhenTheyAreOthers(t *testing.T) {
	filter := &stubborn{Fake: knftables.NewFake(knftables.IPv4Family, Table)}
	var told []State
	e := &enforcer{node: "node1", filter: filter, report: func(s State) error { told = append(told, s); return nil }}
	a := podOf("a", "node1", "10.201.1.2")
	world := World{Policies: []*networking.NetworkPolicy{policyOf(t, "podSelector: {}")}, Pods: []*core.Pod{a}}
	look := func() (World, error) { return world, nil }
	require.NoError(t, e.step(t.Context(), look))
	world.Pods = append(world.Pods, podOf("b", "node2", "10.201.2.2")) // on another node
	require.NoError(t, e.step(t.Context(), look))
	assert.Equal(t, 1, filter.written)
	assert.Equal(t, []State{{InForce: true, Policies: 1, Pods: 1}}, told)

	world.Policies = nil
	filter.fault = errors.New("no memory")
	require.Error(t, e.step(t.Context(), look))
	assert.ErrorContains(t, told[1].Healthy(), "no memory")
	filter.fault = nil
	require.NoError(t, e.step(t.Context(), look), "the next time it is tried")
	assert.NoError(t, told[2].Healthy())
	assert.Equal(t, 2, filter.written)
}

func TestKeepsWhatIsInForceWhenAPolicyCannotBeRead(t *testing.T) {
	filter := &stubborn{Fake: knftables.NewFake(knftables.IPv4Family, Table)}
	e := &enforcer{node: "node1", filter: filter, report: func(State) error { return nil }}
	world := World{Policies: []*networking.NetworkPolicy{policyOf(t, "podSelector: {}")}, Pods: []*core.Pod{podOf("a", "node1", "10.201.1.2")}}
	look := func() (World, error) { return world, nil }
	require.NoError(t, e.step(t.Context(), look))
	before := filter.Dump()
	world.Policies = append(world.Policies, policyOf(t, "podSelector: {matchExpressions: [{key: a, operator: Near}]}"))
	require.Error(t, e.step(t.Context(), look))
	assert.Equal(t, before, filter.Dump())
}

func TestSeesWhatChanges(t *testing.T) {
	client := fake.NewClientset(podOf("a", "node1", "10.201.1.2"), &core.Namespace{ObjectMeta: meta.ObjectMeta{Name: "x"}})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	look, changes, err := watch(ctx, client)
	require.NoError(t, err)
	_, err = client.NetworkingV1().NetworkPolicies("x").Create(ctx, policyOf(t, "podSelector: {}"), meta.CreateOptions{})
	require.NoError(t, err)
	for {
		select {
		case <-ctx.Done():
			require.FailNow(t, "it does not see the policy")
		case <-changes:
		}
		world, err := look()
		require.NoError(t, err)
		assert.Len(t, world.Pods, 1)
		assert.Len(t, world.Namespaces, 1)
		if len(world.Policies) == 1 {
			return
		}
	}
}

func TestTrimmingChangesNoRule(t *testing.T) {
	w := newWorld()
	for _, action := range cyclonusCases()[0].Steps[0].Actions {
		w.do(t, action)
	}
	before := w.rulesets(t)
	for i, p := range w.Pods {
		p.Annotations = map[string]string{"long": "text"}
		p.Spec.Containers[0].Image = "image"
		slim, err := trim(p)
		require.NoError(t, err)
		w.Pods[i] = slim.(*core.Pod)
		assert.Empty(t, w.Pods[i].Annotations)
		assert.Empty(t, w.Pods[i].Spec.Containers[0].Image)
	}
	assert.Equal(t, before, w.rulesets(t))
}

func TestTellsItsStateToWhoLooksFromOutside(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "run"), 0o755))
	_, err := ReadState(root)
	assert.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, State{}.write(filepath.Join(root, stateFile)))
	state, err := ReadState(root)
	require.NoError(t, err)
	assert.ErrorContains(t, state.Healthy(), "not written rules yet")
	require.NoError(t, State{InForce: true, Policies: 2, Pods: 3}.write(filepath.Join(root, stateFile)))
	state, err = ReadState(root)
	require.NoError(t, err)
	assert.Equal(t, State{InForce: true, Policies: 2, Pods: 3}, state)
	assert.NoError(t, state.Healthy())
}
