package v1beta1

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheStepNearestToACapacityIsOneThatKeptTheObjective(t *testing.T) {
	kept := func(rate int64) CapacityStep { return CapacityStep{Rate: rate, Operations: rate, Kept: true} }
	not := func(rate int64) CapacityStep { return CapacityStep{Rate: rate, Operations: rate} }
	for name, test := range map[string]struct {
		rate  int64
		steps []CapacityStep
		want  int
	}{
		"nothing tried":                  {0, nil, 0},
		"the nearest by ratio":           {1000, []CapacityStep{kept(500), kept(900), not(1000), kept(1300)}, 2},
		"the later of two":               {1000, []CapacityStep{kept(1000), not(1100), kept(1000)}, 3},
		"none kept it":                   {0, []CapacityStep{not(4), not(2), not(1)}, 3},
		"a step without an answer":       {0, []CapacityStep{not(4), {Rate: 2}}, 1},
		"one that kept it, however far":  {1000, []CapacityStep{not(1001), kept(1)}, 2},
		"no step with an answer at all ": {0, []CapacityStep{{Rate: 2}}, 0},
	} {
		assert.Equal(t, test.want, (&Capacity{Rate: test.rate, Steps: test.steps}).Nearest(), name)
	}
}

func TestTellsACapacityBeyondWhatWasTried(t *testing.T) {
	all := &Capacity{Rate: 4, Steps: []CapacityStep{{Rate: 2, Kept: true}, {Rate: 4, Kept: true}}}
	assert.True(t, all.Above(0))
	assert.False(t, all.Below())
	end := &Capacity{Rate: 8, Steps: []CapacityStep{{Rate: 4}, {Rate: 2, Kept: true}, {Rate: 8, Kept: true}}}
	assert.True(t, end.Above(8))
	assert.False(t, end.Above(0), "there was a rate that was not kept")
	none := &Capacity{Steps: []CapacityStep{{Rate: 2}, {Rate: 1}}}
	assert.True(t, none.Below())
	assert.False(t, none.Above(1))
}

func TestAQueueIsAnObjectiveWithoutABound(t *testing.T) {
	assert.Equal(t, "a queue that does not grow", (&CapacitySpec{By: ByQueue, Percentile: "99.9"}).Objective())
	assert.Equal(t, "p95 <= 0s", (&CapacitySpec{Percentile: "95"}).Objective())
}

func TestAStepTellsWhatGrowthItCouldNotSee(t *testing.T) {
	share, known := CapacityStep{Rate: 2000, QueueGrowthMost: "50.0"}.Resolution()
	assert.True(t, known)
	assert.InDelta(t, 0.025, share, 1e-9)
	share, known = CapacityStep{Rate: 2000, QueueGrowthMost: "-3.0"}.Resolution()
	assert.True(t, known, "a queue that became shorter")
	assert.Zero(t, share)
	_, known = CapacityStep{Rate: 2000}.Resolution()
	assert.False(t, known)
}

func TestKnowsAChartOfARegistryByNameAndDigest(t *testing.T) {
	for chart, want := range map[string]struct {
		inRegistry   bool
		name, digest string
	}{
		"cassandra": {false, "cassandra", ""},
		"oci://registry.example:5000/team/postgres@sha256:1234": {true, "postgres", "sha256:1234"},
		"oci://registry.example/postgres":                       {true, "postgres", ""},
	} {
		store := StoreSpec{Chart: chart}
		assert.Equal(t, want.inRegistry, store.InRegistry(), chart)
		assert.Equal(t, want.name, store.Name(), chart)
		assert.Equal(t, want.digest, store.ChartDigest(), chart)
	}
}

// Loads name the kinds in Java, the CRD lists them, and docs/reference/load-contract.md explains them.
func TestKindsOfErrorsAreTheSameWhereverTheyAreNamed(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(text)
	}
	all := func(pattern, text string) []string {
		var found []string
		for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			found = append(found, strings.ReplaceAll(strings.ToLower(match[1]), "_", "-"))
		}
		return found
	}
	var kinds []string
	for _, kind := range ErrorKinds() {
		kinds = append(kinds, string(kind))
	}
	assert.IsIncreasing(t, kinds)
	assert.ElementsMatch(t, kinds, all(`(?m)^  ([A-Z_]+)[,;]$`, read("../../../images/load-kit/src/main/java/dev/ringside/load/ErrorKind.java")))
	assert.ElementsMatch(t, kinds, all("(?m)^\\| `error\\.([a-z-]+)` \\|", read("../../../docs/reference/load-contract.md")))
	listed := regexp.MustCompile(`ErrorKind is (?:.*\n)*?//.*Enum=(.*)`).FindStringSubmatch(read("errorkind_types.go"))
	require.NotNil(t, listed)
	assert.Equal(t, kinds, strings.Split(listed[1], ";"))
}

func TestErrorsAreAddedUpByKind(t *testing.T) {
	one := []ErrorCount{{ErrorRefused, 3}, {ErrorTimedOut, 12}}
	other := []ErrorCount{{ErrorBroken, 1}, {ErrorTimedOut, 5}}
	assert.Equal(t, []ErrorCount{{ErrorBroken, 1}, {ErrorRefused, 3}, {ErrorTimedOut, 17}}, AddErrors(one, other, nil))
	assert.Equal(t, []ErrorCount{{ErrorRefused, 3}, {ErrorTimedOut, 12}}, one)
}
