package results

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestTellsWhatNodesDidForOneAnother(t *testing.T) {
	names := []string{HintsKept, HintsDelivered, HintsFailed, ReadRepairs}
	for name, test := range map[string]struct {
		events *v1beta1.StoreEvents
		told   []string
	}{
		"all of it":              {&v1beta1.StoreEvents{Nodes: 3, Of: 4, Counts: map[string]int64{"hints_kept": 40, "hints_delivered": 38, "hints_failed": 2, "read_repairs": 0}}, []string{"40", "38", "2", "0"}},
		"hints alone":            {&v1beta1.StoreEvents{Nodes: 1, Of: 1, Counts: map[string]int64{"hints_kept": 0}}, []string{"0", "", "", ""}},
		"a store that is silent": {nil, []string{"", "", "", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			m := measured()
			m.Status.Result.StoreEvents = test.events
			row := FromMeasurement(m)
			var told []string
			for _, column := range names {
				told = append(told, MustColumn(column).Encode(&row))
			}
			assert.Equal(t, test.told, told)
		})
	}
}
