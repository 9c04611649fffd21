package storechart

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAChartSaysWhichOfItsValuesAreSettings(t *testing.T) {
	chart, err := small(t, `ringside.dev/settings: database, ringside.dev/jvm-options: "options, more"`)
	require.NoError(t, err)
	assert.Equal(t, []string{"database", "more", "options"}, chart.Proves())
	values := map[string]any{
		"nodes":    4.0,
		"database": map[string]any{"reads": 64.0, "large": 4e9, "sync": "periodic", "on": true, "share": 0.5, "classes": []any{"a"}, "table": map[string]any{"a": 1.0}},
		"options":  []any{"-ea", "-XX:+UseG1GC", "-XX:+UseNUMA", "-XX:MaxGCPauseMillis=300", "-Da.b=c=d", "-Dx", "-Xss256k", "-Xmx1G", "-javaagent:/a.jar=1"},
		"more":     []any{"-XX:-UseNUMA"},
	}
	want := map[string]string{
		"reads": "64", "large": "4000000000", "sync": "periodic", "on": "true", "share": "0.5",
		"jvm.-ea": "set", "jvm.UseG1GC": "true", "jvm.UseNUMA": "false", "jvm.MaxGCPauseMillis": "300", "jvm.-Da.b": "c=d", "jvm.-Dx": "set", "jvm.-Xss256k": "set",
	}
	assert.Equal(t, want, chart.Asked(values))
	assert.Len(t, chart.AskedNames(values, map[string]any{"database": map[string]any{"writes": 1.0}}), len(want)+1)
	chart, err = small(t, "")
	require.NoError(t, err)
	assert.Empty(t, chart.Proves())
	assert.Empty(t, chart.Asked(values))
}

func TestTheChartsHaveTheValuesThatTheirProofsProve(t *testing.T) {
	catalogue := NewCatalogue("../../../charts")
	stores, err := catalogue.Stores()
	require.NoError(t, err)
	for _, name := range stores {
		chart, err := catalogue.Open(name)
		require.NoError(t, err)
		require.NotEmpty(t, chart.Proves(), name)
		for _, value := range chart.Proves() {
			assert.Contains(t, chart.Helm().Values, value, name)
		}
	}
}
