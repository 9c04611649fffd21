package measure

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestCountsWhatNodesDidForOneAnotherBetweenTwoReadings(t *testing.T) {
	of := func(kept, delivered, repaired int64) map[string]int64 {
		return map[string]int64{HintsKeptEvent: kept, HintsDeliveredEvent: delivered, ReadRepairsEvent: repaired, "compactions": 9}
	}
	grown := func(nodes int32, kept, delivered, repaired int64) *v1beta1.StoreEvents {
		return &v1beta1.StoreEvents{Nodes: nodes, Of: 2, Counts: map[string]int64{HintsKeptEvent: kept, HintsDeliveredEvent: delivered, ReadRepairsEvent: repaired}}
	}
	for name, test := range map[string]struct {
		before, after []map[string]int64
		want          *v1beta1.StoreEvents
	}{
		"all nodes":                     {[]map[string]int64{of(5, 0, 1), of(7, 7, 0)}, []map[string]int64{of(9, 3, 1), of(8, 8, 2)}, grown(2, 5, 4, 2)},
		"nothing happened":              {[]map[string]int64{of(5, 0, 1), of(7, 7, 0)}, []map[string]int64{of(5, 0, 1), of(7, 7, 0)}, grown(2, 0, 0, 0)},
		"one is gone":                   {[]map[string]int64{of(5, 0, 1), of(7, 7, 0)}, []map[string]int64{of(9, 3, 1), nil}, grown(1, 4, 3, 0)},
		"one was not there before":      {[]map[string]int64{nil, of(7, 7, 0)}, []map[string]int64{of(9, 3, 1), of(8, 8, 2)}, grown(1, 1, 1, 2)},
		"one began again":               {[]map[string]int64{of(5, 2, 1), of(7, 7, 0)}, []map[string]int64{of(9, 0, 1), of(8, 8, 2)}, grown(1, 1, 1, 2)},
		"a store that counts none":      {[]map[string]int64{{"cpu_ns": 4}}, []map[string]int64{{"cpu_ns": 8}}, nil},
		"a store that is silent":        {[]map[string]int64{nil, nil}, []map[string]int64{nil, nil}, nil},
		"a store that was never asked":  {nil, nil, nil},
		"all told, and all began again": {[]map[string]int64{of(5, 2, 1)}, []map[string]int64{of(0, 0, 0)}, nil},
		"one that knows of hints alone": {[]map[string]int64{{HintsKeptEvent: 1}}, []map[string]int64{{HintsKeptEvent: 4}}, &v1beta1.StoreEvents{Nodes: 1, Of: 1, Counts: map[string]int64{HintsKeptEvent: 3}}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, EventsBetween(test.before, test.after))
		})
	}
}

// Stores implement these names in their own languages by docs/reference/store-contract.md. A name in only one of the two would be ignored.
func TestEventsAreThoseThatTheContractNames(t *testing.T) {
	contract, err := os.ReadFile("../../../docs/reference/store-contract.md")
	require.NoError(t, err)
	table := regexp.MustCompile(`\| Event \| Meaning \|\n\|---\|---\|\n((?:\|.*\n)+)`).FindSubmatch(contract)
	require.NotNil(t, table, "the contract has a table of events")
	var names []string
	for _, line := range regexp.MustCompile("(?m)^\\| `([a-z_]+)`").FindAllSubmatch(table[1], -1) {
		names = append(names, string(line[1]))
	}
	assert.ElementsMatch(t, StoreEvents(), names)
}
