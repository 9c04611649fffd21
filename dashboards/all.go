package dashboards

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
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

// Minimum versions of Grafana for the dashboards.
const (
	leastPlain    = grafana.Oldest
	leastHeatmaps = "10.3.0" // first version that draws native histograms
)

// schema is the version of the dashboards' JSON that both versions support.
const schema = 36

type board struct {
	builder *dashboard.DashboardBuilder
	least   string
	// stores lists the stores of a dashboard; empty means every store.
	stores []string
	// ofRuns marks a dashboard of many runs.
	ofRuns bool
}

// All returns the JSON of every dashboard by its file name.
func All() (map[string][]byte, error) {
	boards := map[string]board{
		"experiment.json":    {builder: experiment(), least: leastHeatmaps},
		"comparison.json":    {builder: comparison(), least: leastHeatmaps},
		"history.json":       {builder: history(), least: leastPlain, ofRuns: true},
		"store.json":         {builder: store(), least: leastPlain},
		"cassandra.json":     {builder: cassandra(), least: leastPlain, stores: []string{"cassandra", "cassandra-cql"}},
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

// page returns a dashboard of a run, with its phases.
func page(title, uid, description string, variables []variable) *dashboard.DashboardBuilder {
	return blank(title, uid, description, variables).Annotation(phases())
}

// blank returns a dashboard with the settings that all dashboards share.
func blank(title, uid, description string, variables []variable) *dashboard.DashboardBuilder {
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
		Variables(variables)
}

// fewestPhases is the number of phases, in the displayed time range, above which they are not shaded: their edges would
// hide the curves.
const fewestPhases = 40

// phases shades the phases, unless they are short compared with the displayed time range. A switch at the top of the
// dashboard hides the shading.
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

// faults marks the times when a fault hit a node of the store, and when the node was ready again. The time is the value
// of the series, independent of the time of the scrape; Grafana expects milliseconds.
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
	annotationChange = "Changes"
)

// annotations has the settings of Grafana's Prometheus annotations that the SDK does not support, by name.
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
	annotationChange: {
		"titleFormat":     "{{server}}: {{is}}",
		"textFormat":      "{{metric}} of {{load}}, since run {{run}}",
		"tagKeys":         "server,is",
		"step":            stepRun,
		"useValueForTime": true,
	},
}

// encode numbers the panels, so that links to them stay valid. It adds the required version of Grafana, removes what
// that version does not support, and writes the JSON.
func encode(board board) ([]byte, error) {
	own := tags.Of(board.stores...)
	if board.ofRuns {
		own = append(own, tags.History)
	}
	built, err := board.builder.Tags(own).Build()
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
	return lines(document)
}

// lines writes a dashboard's JSON with a line for each of its fields, in the order of their names, and for each of its panels.
func lines(document map[string]any) ([]byte, error) {
	var out bytes.Buffer
	separator := "{"
	for _, name := range slices.Sorted(maps.Keys(document)) {
		fmt.Fprintf(&out, "%s\n%q: ", separator, name)
		separator = ","
		values, end := []any{document[name]}, ""
		if name == "panels" {
			values, end = document[name].([]any), "\n]"
		}
		for i, value := range values {
			content, err := json.Marshal(value)
			if err != nil {
				return nil, err
			}
			if end != "" {
				out.WriteString(map[bool]string{true: "[\n", false: ",\n"}[i == 0])
			}
			out.Write(content)
		}
		out.WriteString(end)
	}
	out.WriteString("\n}\n")
	return out.Bytes(), nil
}
