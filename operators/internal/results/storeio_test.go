package results

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"ringside.dev/ringside/operators/api/v1beta1"
)

func ioCells(row *Row) []string {
	var cells []string
	for _, name := range []string{WriteAmplification, ReadAmplification, SpaceAmplification, WrittenPerOperation} {
		cells = append(cells, MustColumn(name).Encode(row))
	}
	return cells
}

func TestTellsWhatALoadMadeTheStoreWriteAndRead(t *testing.T) {
	m := measured()
	m.Status.Result.Operations = 3000
	m.Status.Result.StoreIO = &v1beta1.StoreIO{
		PutBytes: new(int64(300_000)), WrittenBytes: new(int64(1_000_000)), LiveBytes: new(int64(80_000)), DiskBytes: new(int64(100_000)),
		WriteAmplification: "3.333", SpaceAmplification: "1.250", WrittenPerOp: "333.3",
	}
	row := FromMeasurement(m)
	assert.Equal(t, []string{"3.333", "", "1.250", "333.3"}, ioCells(&row), "what was got is not known, which is not 0")
	assert.InDelta(t, 10.0/3, MustColumn(WriteAmplification).Value(&row), 1e-12, "with the digits that the file rounds away")
	assert.InDelta(t, 1000.0/3, MustColumn(WrittenPerOperation).Value(&row), 1e-9)
	plain := FromMeasurement(measured())
	assert.Equal(t, []string{"", "", "", ""}, ioCells(&plain))
}

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

func TestTellsWhatAKillOfTheStoreCost(t *testing.T) {
	m := measured()
	m.Status.Result.Recovery = &v1beta1.Recovery{FirstMicros: 2_100_400, AllMicros: 2_250_000, Sent: 1000, Acknowledged: 990, Kept: 600, Lost: 300, Refused: 90}
	row := FromMeasurement(m)
	told := map[string]string{}
	for _, name := range []string{"recovery_s", "recovery_all_s", "recovery_sent", "recovery_acknowledged", "recovery_kept", "recovery_lost", "recovery_refused"} {
		told[name] = MustColumn(name).Encode(&row)
	}
	assert.Equal(t, map[string]string{"recovery_s": "2.100", "recovery_all_s": "2.250", "recovery_sent": "1000", "recovery_acknowledged": "990",
		"recovery_kept": "600", "recovery_lost": "300", "recovery_refused": "90"}, told)
	plain := FromMeasurement(measured())
	assert.Empty(t, MustColumn("recovery_lost").Encode(&plain), "0 would be a word of a store that was not killed")
}
