package storechart

import (
	"strings"
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
		"database": map[string]any{"reads": 64.0, "large": 4e9, "sync": "periodic", "on": true, "share": 0.5, "classes": []any{"a"}, "table": map[string]any{"a": 1.0, "b": map[string]any{"c": "d"}}},
		"options":  []any{"-ea", "-XX:+UseG1GC", "-XX:+UseNUMA", "-XX:MaxGCPauseMillis=300", "-Da.b=c=d", "-Dx", "-Xss256k", "-Xmx1G", "-javaagent:/a.jar=1"},
		"more":     []any{"-XX:-UseNUMA"},
	}
	want := map[string]string{
		"reads": "64", "large": "4000000000", "sync": "periodic", "on": "true", "share": "0.5", "table.a": "1", "table.b.c": "d",
		"jvm.-ea": "set", "jvm.UseG1GC": "true", "jvm.UseNUMA": "false", "jvm.MaxGCPauseMillis": "300", "jvm.-Da.b": "c=d", "jvm.-Dx": "set", "jvm.-Xss256k": "set",
	}
	assert.Equal(t, want, chart.Asked(values))
	assert.Len(t, chart.AskedNames(values, map[string]any{"database": map[string]any{"writes": 1.0}}), len(want)+1)
	chart, err = small(t, "")
	require.NoError(t, err)
	assert.Empty(t, chart.Proves())
	assert.Empty(t, chart.Asked(values))
}

func TestAServerIsWhatTheChartPromisesAndTheExperimentChanges(t *testing.T) {
	chart, err := smallWith(t, `ringside.dev/settings: "heap.max=jvm.-Xmx, kinds.*.java, kinds.*.settings, settings"`,
		"{heap: {max: 1G}, kinds: {calm: {java: 11, note: a, settings: {reads: 32, table: {format: big}}}, spinner: {java: 17, settings: {}}}, settings: {writes: 32}}")
	require.NoError(t, err)
	assert.Equal(t, []string{"heap.max", "kinds.*.java", "kinds.*.settings", "settings"}, chart.Proves())
	hosts := func(server string, values map[string]any) map[string]any {
		return overlay(values, owned(Servers{Types: []string{server}}, Images{}))
	}
	assert.Equal(t, map[string]string{"java": "11", "reads": "32", "table.format": "big"}, chart.Asked(hosts("calm", nil)), "the chart's other values are not asked for")
	assert.Equal(t, map[string]string{"java": "17"}, chart.Asked(hosts("spinner", nil)))
	changed := map[string]any{
		"heap":     map[string]any{"max": "2G"},
		"kinds":    map[string]any{"calm": map[string]any{"java": 17.0, "settings": map[string]any{"table": map[string]any{"format": "bti"}}}},
		"settings": map[string]any{"reads": 64.0},
	}
	want := map[string]string{"jvm.-Xmx": "2G", "java": "17", "reads": "64", "table.format": "bti"}
	assert.Equal(t, want, chart.Asked(hosts("calm", changed)), "the last entry of the annotation counts")
}

func TestTheChartsHaveTheValuesThatTheirProofsProve(t *testing.T) {
	catalogue := NewCatalogue("../../../charts")
	stores, err := catalogue.Stores()
	require.NoError(t, err)
	for _, name := range stores {
		chart, err := catalogue.Open(name)
		require.NoError(t, err)
		require.NotEmpty(t, chart.Proves(), name)
		for _, path := range chart.Proves() {
			for _, server := range chart.ServerTypes() {
				value := valueAt(strings.Split(strings.ReplaceAll(path, anyServer, server), "."), chart.Helm().Values)
				assert.NotNil(t, value, "%s: %s", name, path)
			}
		}
	}
}
