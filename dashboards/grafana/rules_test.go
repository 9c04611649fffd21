package grafana

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func dashboardOf(least, panel string) []byte {
	return fmt.Appendf(nil, `{"schemaVersion": 36, "__requires": [{"id": "grafana", "version": %q}], "panels": [%s]}`, least, panel)
}

func TestALogarithmicAxisDoesNotBeginAtZero(t *testing.T) {
	const blank = `"p": a logarithmic axis with `
	for name, test := range map[string]struct {
		panel string
		want  []string
	}{
		"linear":       {`{"type": "timeseries", "title": "p", "fieldConfig": {"defaults": {"min": 0}}}`, nil},
		"no min":       {`{"type": "timeseries", "title": "p", "fieldConfig": {"defaults": {"custom": {"scaleDistribution": {"type": "log"}}}}}`, nil},
		"a min of 1ms": {`{"type": "timeseries", "title": "p", "fieldConfig": {"defaults": {"min": 0.001, "custom": {"scaleDistribution": {"type": "log"}}}}}`, nil},
		"min 0": {`{"type": "timeseries", "title": "p", "fieldConfig": {"defaults": {"min": 0, "custom": {"scaleDistribution": {"type": "log"}}}}}`,
			[]string{blank + "min 0 leaves the panel blank"}},
		"a soft min": {`{"type": "timeseries", "title": "p", "fieldConfig": {"defaults": {"custom": {"axisSoftMin": 0, "scaleDistribution": {"type": "log"}}}}}`,
			[]string{blank + "axisSoftMin 0 leaves the panel blank"}},
		"in an override": {`{"type": "timeseries", "title": "p", "fieldConfig": {"defaults": {"min": 0}, "overrides": [
			{"properties": [{"id": "custom.scaleDistribution", "value": {"type": "log"}}]}]}}`, []string{blank + "min 0 leaves the panel blank"}},
		"of a heatmap": {`{"type": "heatmap", "title": "p", "targets": [{"expr": "sum by (le) (x)"}],
			"options": {"yAxis": {"min": 0, "scaleDistribution": {"type": "log"}}}}`, []string{blank + "yAxis.min 0 leaves the panel blank"}},
		"in a row": {`{"type": "row", "panels": [{"type": "timeseries", "title": "p", "fieldConfig": {"defaults": {"min": -1, "custom": {"scaleDistribution": {"type": "log"}}}}}]}`,
			[]string{blank + "min -1 leaves the panel blank"}},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := Check(dashboardOf(Oldest, test.panel))
			require.NoError(t, err)
			assert.Equal(t, test.want, found)
		})
	}
}

func TestNothingIsUsedThatTheLeastVersionDoesNotHave(t *testing.T) {
	for name, test := range map[string]struct {
		least, panel string
		want         []string
		needs        string
	}{
		"a colour mode": {"9.4.0", `{"type": "bargauge", "title": "p", "fieldConfig": {"defaults": {"color": {"mode": "palette-classic-by-name"}}}}`,
			[]string{`"p": colour mode palette-classic-by-name is there since Grafana 10.0.0; the dashboard is for 9.4.0`}, "10.0.0"},
		"the same, later": {"10.0.0", `{"type": "bargauge", "title": "p", "fieldConfig": {"defaults": {"color": {"mode": "palette-classic-by-name"}}}}`, nil, "10.0.0"},
		"a heatmap of native histograms": {"10.2.9", `{"type": "heatmap", "title": "p", "targets": [{"expr": "sum(rate(x[1m]))"}]}`,
			[]string{`"p": data heatmap of native histograms is there since Grafana 10.3.0; the dashboard is for 10.2.9`}, "10.3.0"},
		"a heatmap of classic ones": {"9.4.0", `{"type": "heatmap", "title": "p", "targets": [{"expr": "sum by (le) (x)"}]}`, nil, "9.4.0"},
		"an option": {"10.3.0", `{"type": "bargauge", "title": "p", "options": {"sizing": "auto"}}`,
			[]string{`"p": option bargauge.sizing is there since Grafana 10.4.0; the dashboard is for 10.3.0`}, "10.4.0"},
		"a panel that nobody looked up": {"9.4.0", `{"type": "canvas", "title": "p"}`,
			[]string{`"p": panel canvas: say in dashboards/grafana since which version Grafana has it`}, "9.4.0"},
		"a transformation that nobody looked up": {"9.4.0", `{"type": "table", "title": "p", "transformations": [{"id": "joinByField"}]}`,
			[]string{`"p": transformation joinByField: say in dashboards/grafana since which version Grafana has it`}, "9.4.0"},
	} {
		t.Run(name, func(t *testing.T) {
			content := dashboardOf(test.least, test.panel)
			found, err := Check(content)
			require.NoError(t, err)
			assert.Equal(t, test.want, found)
			needs, err := Needs(content)
			require.NoError(t, err)
			assert.Equal(t, test.needs, needs)
		})
	}
}

func TestADashboardStatesItsLeastVersion(t *testing.T) {
	found, err := Check([]byte(`{"schemaVersion": 36}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"__requires does not say which Grafana the dashboard needs at least"}, found)
}

func TestDropsWhatTheLeastVersionDoesNotKnow(t *testing.T) {
	var document map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{
		"panels": [{"type": "bargauge", "options": {"sizing": "auto", "displayMode": "basic"}}, {"type": "row", "panels": [{"type": "stat", "options": {"wideLayout": true}}]}],
		"annotations": {"list": [{"name": "a", "placement": "inControlsMenu"}]}, "links": [{"placement": "inControlsMenu"}],
		"templating": {"list": [{"name": "v", "allowCustomValue": true}]}}`), &document))
	Drop(document, "10.3.0")
	left, err := json.Marshal(document)
	require.NoError(t, err)
	assert.JSONEq(t, `{
		"panels": [{"type": "bargauge", "options": {"displayMode": "basic"}}, {"type": "row", "panels": [{"type": "stat", "options": {}}]}],
		"annotations": {"list": [{"name": "a"}]}, "links": [{}], "templating": {"list": [{"name": "v"}]}}`, string(left))
}
