package dashboards

import (
	"encoding/json"
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/variants"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"

	"ringside.dev/ringside/operators/metrics"
)

type dataquery = variants.Dataquery

// Tag is on every dashboard, and is how they link to each other.
const Tag = "ringside"

// All returns the JSON of every dashboard by the name of its file.
func All() (map[string][]byte, error) {
	builders := map[string]*dashboard.DashboardBuilder{
		"experiment.json":    experiment(),
		"comparison.json":    comparison(),
		"store.json":         store(),
		"thrift-server.json": thriftServer(),
	}
	files := map[string][]byte{}
	for name, builder := range builders {
		content, err := encode(builder)
		if err != nil {
			return nil, fmt.Errorf("build %s: %w", name, err)
		}
		files[name] = content
	}
	return files, nil
}

// page is what all dashboards have in common.
func page(title, uid, description string, variables []variable) *dashboard.DashboardBuilder {
	return dashboard.NewDashboardBuilder(title).
		Uid(uid).
		Description(description).
		Tags([]string{Tag}).
		Readonly().
		Tooltip(dashboard.DashboardCursorSyncCrosshair).
		Time("now-30m", "now").
		Timezone(common.TimeZoneBrowser).
		Timepicker(dashboard.NewTimePickerBuilder().RefreshIntervals([]string{"1s", "5s", "10s", "30s", "1m", "5m"})).
		Link(dashboard.NewDashboardLinkBuilder("Ringside").
			Type(dashboard.DashboardLinkTypeDashboards).Tags([]string{Tag}).KeepTime(true).IncludeVars(true)).
		Variables(variables).
		Annotation(phases())
}

// phases shades the times in which load was driven.
func phases() *dashboard.AnnotationQueryBuilder {
	expr := maxBy(ofRun(metrics.LoadPhaseActive), metrics.LabelServer, metrics.LabelPhase, metrics.LabelRound, metrics.LabelRepeat)
	return dashboard.NewAnnotationQueryBuilder().
		Name("Phases").
		Datasource(datasource()).
		Enable(true).
		IconColor("rgba(120, 160, 220, 0.5)").
		Expr(expr).
		Target(prometheus.NewDataqueryBuilder().RefId("Phases").Expr(expr).Range().Interval(stepStore))
}

// phaseAnnotation is what Grafana's Prometheus annotations know and the SDK does not.
var phaseAnnotation = map[string]any{
	"titleFormat": "{{server}} {{phase}}",
	"textFormat":  "round {{round}}, repeat {{repeat}}",
	"tagKeys":     "server,phase",
	"step":        stepStore,
}

// encode numbers the panels, so that links to them hold, and writes the dashboard with sorted keys.
func encode(builder *dashboard.DashboardBuilder) ([]byte, error) {
	built, err := builder.Build()
	if err != nil {
		return nil, err
	}
	var number uint32
	for i := range built.Panels {
		number++
		switch panel := built.Panels[i]; {
		case panel.Panel != nil:
			panel.Panel.Id = cog.ToPtr(number)
		case panel.RowPanel != nil:
			panel.RowPanel.Id = number
		}
	}
	typed, err := json.Marshal(built)
	if err != nil {
		return nil, err
	}
	var document map[string]any
	if err := json.Unmarshal(typed, &document); err != nil {
		return nil, err
	}
	for _, annotation := range document["annotations"].(map[string]any)["list"].([]any) {
		for key, value := range phaseAnnotation {
			annotation.(map[string]any)[key] = value
		}
	}
	content, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(content, '\n'), nil
}
