package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func TestShowsWhatTheLossOfANodeCost(t *testing.T) {
	ready, noticed, back := int64(2_500_000), int64(1_200_000), int64(2_000_000)
	folder := dedicated(t, func(_ int, m *v1beta1.Measurement) {
		if m.Spec.Operation != "write" {
			return
		}
		m.Status.Result.Faults = []v1beta1.FaultEffect{{Kind: v1beta1.FaultMaintain, Task: "repair", Node: 1, AtMicros: 3_000_000, ReadyMicros: &ready, LevelOpRate: "200.0",
			DetectMicros: &noticed, RecoverMicros: &back, Availability: "0.9700", BeforeP99Millis: "4.100", DuringP99Millis: "9.300"}}
		m.Status.Result.Errors, m.Status.Result.ErrorsByKind = 15, []v1beta1.ErrorCount{{Kind: v1beta1.ErrorRefused, Count: 3}, {Kind: v1beta1.ErrorTimedOut, Count: 12}}
		m.Status.Result.StoreEvents = &v1beta1.StoreEvents{Nodes: 3, Of: 4, Counts: map[string]int64{"hints_kept": 40, "hints_delivered": 38, "read_repairs": 0}}
		if m.Spec.Server == "xedin" {
			m.Status.Result.Faults[0].ReadyMicros, m.Status.Result.Faults[0].RecoverMicros = nil, nil
			m.Status.Valid, m.Status.InvalidReasons = false, []string{"store restart: store pod s-1 did not return"}
		}
	})
	text, page := render(t, folder)
	require.Len(t, page.Faults, 3)
	shown := tableOf(t, text, "faults")
	require.Len(t, shown, 5, "a heading, three measurements, and why one of them has no figures")
	for i, row := range page.Faults {
		cells := shown[i+1]
		assert.Equal(t, row.Server, cells[0])
		assert.Equal(t, []string{"write", "1"}, cells[1:3])
		if row.Server == "xedin" {
			assert.Empty(t, cells[3])
			assert.Equal(t, []string{"store restart: store pod s-1 did not return"}, shown[i+2])
			continue
		}
		assert.Equal(t, []string{"maintain-repair:1@3.000+2.500", "0.9700", "1.200", "2.000", "2.500", "4.100", "9.300", "15"}, cells[3:11])
		assert.Equal(t, []string{"refused 3", "timed-out 12"}, row.ErrorsByKind)
		assert.Contains(t, text, "refused 3<br>timed-out 12</td>")
		assert.Equal(t, []string{"40", "38", "0"}, cells[12:15])
	}
	for _, load := range page.Loads {
		for _, figure := range load.Figures {
			stretches := 0
			for _, chart := range figure.Charts {
				stretches += len(chart.Faults)
				for _, away := range chart.Faults {
					assert.Greater(t, away.Right, away.Left)
					assert.LessOrEqual(t, away.Right, chart.Plot.Right)
				}
			}
			overTime := load.Name == "write" && (figure.Title == "Op rate over time" || figure.Title == "95th percentile over time")
			assert.Equal(t, overTime || figure.Title == "Answered since a fault", stretches > 0, "%s, %s", load.Name, figure.Title)
			if overTime {
				assert.Contains(t, figure.Note, "Shaded from bottom to top")
			}
		}
	}
	plain, page := render(t, dedicated(t, nil))
	assert.Empty(t, page.Faults)
	assert.NotContains(t, plain, `class="fault"`)
}
