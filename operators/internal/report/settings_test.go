package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ringside.dev/ringside/operators/api/v1beta1"
	"ringside.dev/ringside/operators/internal/archive"
	"ringside.dev/ringside/operators/internal/results"
)

func TestTheReportHasTheSettingsInWhichServersDifferAsTheyRan(t *testing.T) {
	proof := func(settings map[string]string, digest string) *v1beta1.Measurement {
		return &v1beta1.Measurement{Status: v1beta1.MeasurementStatus{Proof: &v1beta1.Proof{SettingsSHA256: digest, Settings: settings}}}
	}
	run := &archive.Run{
		Rows: []results.Row{{Server: "cms", Measurement: "a", Valid: true}, {Server: "g1", Measurement: "b", Valid: true}, {Server: "silent", Measurement: "c", Valid: true}},
		Measurements: map[string]*v1beta1.Measurement{
			"a": proof(map[string]string{"concurrent_reads": "32", "jvm.collectors": "ParNew, ConcurrentMarkSweep", "jvm.CMSWaitDuration": "10000"}, "1"),
			"b": proof(map[string]string{"concurrent_reads": "32", "jvm.collectors": "G1 Young Generation, G1 Old Generation"}, "2"),
			"c": proof(nil, ""),
		},
	}
	table := settingsTable(run)
	require.NotNil(t, table)
	assert.Equal(t, []string{"setting", "cms", "g1"}, table.Columns, "of a server that reports none nothing is known")
	assert.Equal(t, [][]string{
		{"jvm.CMSWaitDuration", "10000", "default"},
		{"jvm.collectors", "ParNew, ConcurrentMarkSweep", "G1 Young Generation, G1 Old Generation"},
	}, table.Rows)
	run.Measurements["b"] = run.Measurements["a"]
	assert.Nil(t, settingsTable(run), "they do not differ")
}
