package dashboards

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/variants"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"

	"ringside.dev/ringside/dashboards/grafana"
	"ringside.dev/ringside/dashboards/tags"
	"ringside.dev/ringside/operators/metrics"
)

type dataquery = variants.Dataquery

// The least versions of Grafana that dashboards are made for.
const (
	leastPlain    = grafana.Oldest
	leastHeatmaps = "10.3.0" // draws native histograms
)

// schema is the version of dashboards' JSON that both are sure to know.
const schema = 36

type board struct {
	builder *dashboard.DashboardBuilder
	least   string
	// stores that it is for; every store where there are none.
	stores []string
}

// All returns the JSON of every dashboard by the name of its file.
func All() (map[string][]byte, error) {
	boards := map[string]board{
		"experiment.json":    {builder: experiment(), least: leastHeatmaps},
		"comparison.json":    {builder: comparison(), least: leastHeatmaps},
		"store.json":         {builder: store(), least: leastPlain},
		"cassandra.json":     {builder: cassandra(), least: leastPlain, stores: []string{"cassandra"}},
		"thrift-server.json": {builder: thriftServer(), least: leastPlain, stores: []string{"cassandra", "stub"}},
		"trip-cache.json":    {builder: stream(), least: leastPlain, stores: []string{"trip-cache"}},
	}
	files := map[string][]byte{}
	for name, board := range boards {
		content, err := encode(board)
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
		Readonly().
		Tooltip(dashboard.DashboardCursorSyncCrosshair).
		Time("now-30m", "now").
		Timezone(common.TimeZoneBrowser).
		Timepicker(dashboard.NewTimePickerBuilder().RefreshIntervals([]string{"1s", "5s", "10s", "30s", "1m", "5m"})).
		Link(dashboard.NewDashboardLinkBuilder("Ringside").
			Type(dashboard.DashboardLinkTypeDashboards).Tags([]string{tags.Ringside}).KeepTime(true).IncludeVars(true)).
		Variables(variables).
		Annotation(phases())
}

// fewestPhases that fill the time shown are too many to shade: their edges would hide the curves.
const fewestPhases = 40

// phases shades the times in which load was driven, phase by phase, unless the phases are short for the time shown. A switch at
// the top of the dashboard takes the shades away.
func phases() *dashboard.AnnotationQueryBuilder {
	expr := longPhases()
	return dashboard.NewAnnotationQueryBuilder().
		Name(annotationPhases).
		Datasource(datasource()).
		Enable(true).Hide(false).
		IconColor("rgba(120, 160, 220, 0.5)").
		Expr(expr).
		Target(prometheus.NewDataqueryBuilder().RefId(annotationPhases).Expr(expr).Range().Interval(stepStore))
}

func longPhases() string {
	phase := []string{metrics.LabelServer, metrics.LabelPhase, metrics.LabelRound, metrics.LabelRepeat}
	return fmt.Sprintf("%s and on (%s) %s > $__range_s / %d",
		maxBy(ofRun(metrics.LoadPhaseActive), phase...), strings.Join(phase, ", "), maxBy(highest(ofRun(metrics.LoadActiveSeconds)), phase...), fewestPhases)
}

// faults marks when a fault hit a node of the store, and when the node was ready again. The time is the value of the series, whenever it
// was scraped; Grafana expects milliseconds.
func faults() *dashboard.AnnotationQueryBuilder {
	expr := faultMoments()
	return dashboard.NewAnnotationQueryBuilder().
		Name(annotationFaults).
		Datasource(datasource()).
		Enable(true).Hide(false).
		IconColor("rgba(200, 70, 30, 0.9)").
		Expr(expr).
		Target(prometheus.NewDataqueryBuilder().RefId(annotationFaults).Expr(expr).Range().Interval(stepStore))
}

func faultMoments() string {
	return "1000 * " + maxBy(ofLoad(metrics.ExperimentFault), metrics.LabelServer, metrics.LabelPhase, metrics.LabelRound, metrics.LabelRepeat,
		metrics.LabelMeasurement, metrics.LabelIndex, metrics.LabelFault, metrics.LabelNode, metrics.LabelEvent)
}

// Names of annotations.
const (
	annotationPhases = "Phases"
	annotationFaults = "Faults"
)

// annotations by their names: what Grafana's Prometheus annotations know and the SDK does not.
var annotations = map[string]map[string]any{
	annotationPhases: {
		"titleFormat": "{{server}} {{phase}}",
		"textFormat":  "round {{round}}, repeat {{repeat}}",
		"tagKeys":     "server,phase",
		"step":        stepStore,
	},
	annotationFaults: {
		"titleFormat":     "{{fault}} of node {{node}}: {{event}}",
		"textFormat":      "{{server}} {{phase}}, round {{round}}, repeat {{repeat}}",
		"tagKeys":         "server,phase,event",
		"step":            stepStore,
		"useValueForTime": true,
	},
}

// encode numbers the panels, so that links to them stay valid, adds the required version of Grafana, drops what that version does
// not support, and writes the JSON with sorted keys.
func encode(board board) ([]byte, error) {
	built, err := board.builder.Tags(tags.Of(board.stores...)).Build()
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
		drawn := annotation.(map[string]any)
		for key, value := range annotations[drawn["name"].(string)] {
			drawn[key] = value
		}
	}
	document["schemaVersion"] = schema
	document["__requires"] = grafana.Requires(board.least)
	document["description"] = fmt.Sprintf("%v Needs Grafana %s or newer.", document["description"], board.least)
	grafana.Drop(document, board.least)
	content, err := json.MarshalIndent(document, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(content, '\n'), nil
}
