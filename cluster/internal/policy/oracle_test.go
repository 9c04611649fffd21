package policy

import (
	"math/rand/v2"
	"testing"

	"github.com/mattfenwick/cyclonus/pkg/generator"
	"github.com/mattfenwick/cyclonus/pkg/matcher"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// cyclonusCases returns the complete suite of cyclonus for network plugins.
func cyclonusCases() []*generator.TestCase {
	zc := newWorld().Pods[8].Status.PodIP
	return generator.NewTestCaseGenerator(true, zc, []string{"x", "y", "z"}, nil, nil).GenerateAllTestCases()
}

// eachWorld visits every step of every case.
func eachWorld(t *testing.T, check func(t *testing.T, w *world)) {
	for _, c := range cyclonusCases() {
		t.Run(c.Description, func(t *testing.T) {
			w := newWorld()
			for _, step := range c.Steps {
				for _, action := range step.Actions {
					w.do(t, action)
				}
				check(t, w)
			}
		})
	}
}

// agrees compares the results with the truth table of cyclonus.
func agrees(t *testing.T, w *world, found func(packet) bool) {
	t.Helper()
	policies := matcher.BuildNetworkPolicies(true, w.Policies)
	for _, p := range w.packets() {
		if expected := w.expect(policies, p); expected != found(p) {
			text, err := yaml.Marshal(w.Policies)
			require.NoError(t, err)
			require.Fail(t, "another verdict", "%s: expected %v\n%s", w.name(p), expected, text)
		}
	}
}

func bothNodes(rules map[string]Ruleset) func(packet) bool {
	return func(p packet) bool {
		for _, r := range rules {
			if !r.passes(p) {
				return false
			}
		}
		return true
	}
}

func TestAgreesWithCyclonusOnItsCases(t *testing.T) {
	steps := 0
	eachWorld(t, func(t *testing.T, w *world) {
		steps++
		agrees(t, w, bothNodes(w.rulesets(t)))
	})
	assert.Greater(t, steps, 200, "they are many")
	t.Logf("%d cases, %d steps", len(cyclonusCases()), steps)
}

func TestAgreesWithCyclonusOnPoliciesAtRandom(t *testing.T) {
	const seed = 14
	for i := range uint64(1500) {
		w := randomWorld(rand.New(rand.NewPCG(seed, i)))
		agrees(t, w, bothNodes(w.rulesets(t)))
		if t.Failed() {
			t.Fatalf("seed %d, world %d", seed, i)
		}
	}
}
