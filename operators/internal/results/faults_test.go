package results

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func micros(n int64) *int64 { return &n }

func TestTellsWhatTheLossOfANodeCost(t *testing.T) {
	one := v1beta1.FaultEffect{Kind: v1beta1.FaultKill, Node: 1, AtMicros: 30_215_000, ReadyMicros: micros(41_300_000), LevelOpRate: "200.0",
		DetectMicros: micros(1_785_000), RecoverMicros: micros(9_785_000), Availability: "0.9700"}
	other := v1beta1.FaultEffect{Index: 1, Kind: v1beta1.FaultKill, Node: 2, AtMicros: 90_000_000, ReadyMicros: micros(20_000_000), LevelOpRate: "200.0",
		RecoverMicros: micros(0), Availability: "0.9990"}
	away, noticed := other, other
	noticed.DetectMicros = micros(1_200_000)
	away.ReadyMicros, away.RecoverMicros = nil, nil
	for name, test := range map[string]struct {
		effects []v1beta1.FaultEffect
		told    []string
	}{
		"one":                              {[]v1beta1.FaultEffect{one}, []string{"kill:1@30.215+41.300", "0.9700", "1.785", "9.785", "41.300", "2.694", "1.785", "9.785"}},
		"the worst of two, and their mean": {[]v1beta1.FaultEffect{one, noticed}, []string{"kill:1@30.215+41.300 kill:2@90.000+20.000", "0.9700", "1.785", "9.785", "41.300", "0.912", "1.493", "4.893"}},
		"unnoticed":                        {[]v1beta1.FaultEffect{one, other}, []string{"kill:1@30.215+41.300 kill:2@90.000+20.000", "0.9700", "1.785", "9.785", "41.300", "0.912", "", "4.893"}},
		"one that is not back":             {[]v1beta1.FaultEffect{one, away}, []string{"kill:1@30.215+41.300 kill:2@90.000", "0.9700", "1.785", "", "", "0.912", "", ""}},
		"without a level":                  {[]v1beta1.FaultEffect{{Kind: v1beta1.FaultKill, AtMicros: 2_000_000}}, []string{"kill:0@2.000", "", "", "", "", "", "", ""}},
		"a task": {[]v1beta1.FaultEffect{{Kind: v1beta1.FaultMaintain, Task: "repair", Node: 1, AtMicros: 30_000_000, ReadyMicros: micros(12_500_000),
			BeforeP99Millis: "4.100", DuringP99Millis: "9.300"}}, []string{"maintain-repair:1@30.000+12.500", "", "", "", "12.500", "", "", ""}},
		"none": {nil, []string{"", "", "", "", "", "", "", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			m := measured()
			m.Status.Result.Faults = test.effects
			m.Status.Result.FinishedAt = metav1.NewMicroTime(m.Status.Result.StartedAt.Add(2 * time.Minute))
			row := FromMeasurement(m)
			var told []string
			for _, name := range []string{"faults", FaultAvailability, "fault_detect_s", FaultRecoverTime, "fault_ready_s", FaultLost, FaultMeanDetect, FaultMeanRecover} {
				column := MustColumn(name)
				cell := column.Encode(&row)
				told = append(told, cell)
				var read Row
				require.NoError(t, column.Decode(&read, cell))
				assert.Equal(t, cell, column.Encode(&read))
			}
			assert.Equal(t, test.told, told)
			if name == "a task" {
				assert.Equal(t, "4.100", MustColumn(FaultBeforeP99).Encode(&row))
				assert.Equal(t, "9.300", MustColumn(FaultDuringP99).Encode(&row))
			}
		})
	}
	for _, wrong := range []string{"kill", "kill:1", "kill:x@3", "kill:1@x", "kill:1@3+x"} {
		require.Error(t, MustColumn("faults").Decode(&Row{}, wrong), wrong)
	}
}
