package dashboards

import (
	"fmt"
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"

	"ringside.dev/ringside/operators/metrics"
)

// Names of annotations.
const (
	annotationPhases = "Phases"
	annotationFaults = "Faults"
	annotationChange = "Changes"
)

// annotations has the settings of Grafana's Prometheus annotations that the SDK does not support, by name. The value of
// a fault or change is its time in milliseconds, independent of the time of the scrape.
var annotations = map[string]map[string]any{
	annotationPhases: {
		"titleFormat": "{{server}} {{phase}}",
		"textFormat":  "round {{round}}, repeat {{repeat}}",
		"tagKeys":     "server,phase",
		"step":        stepLoad,
	},
	annotationFaults: {
		"titleFormat":     "{{fault}} of node {{node}}: {{event}}",
		"textFormat":      "{{server}} {{phase}}, round {{round}}, repeat {{repeat}}",
		"tagKeys":         "server,phase,event",
		"step":            stepLoad,
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

// mark draws lines over the panels. A switch at the top of the dashboard hides them.
func mark(name, colour, expr string) *dashboard.AnnotationQueryBuilder {
	step, _ := annotations[name]["step"].(string)
	return dashboard.NewAnnotationQueryBuilder().
		Name(name).
		Datasource(datasource()).
		Enable(true).Hide(false).
		IconColor(colour).
		Expr(expr).
		Target(prometheus.NewDataqueryBuilder().RefId(name).Expr(expr).Range().Interval(step))
}

// Colours of lines.
const (
	faint  = "rgba(120, 160, 220, 0.5)"
	strong = "rgba(200, 70, 30, 0.9)"
)

// mostPhases is the number of phases in the displayed time range above which they are not marked: their lines would
// hide the curves.
const mostPhases = 40

// phaseBeginnings returns 1 in the step in which a phase begins: consecutive steps would be a region.
func phaseBeginnings() string {
	phase := []string{metrics.LabelServer, metrics.LabelPhase, metrics.LabelRound, metrics.LabelRepeat}
	active := func(when string) string {
		return fmt.Sprintf("(%s > 0)", maxBy(fmt.Sprintf("max_over_time(%s[$__interval]%s)", ofRun(metrics.LoadPhaseActive), when), phase...))
	}
	return fmt.Sprintf("%s unless on (%s) %s and on () count(%s) <= %d", active(""), strings.Join(phase, ", "), active(" offset $__interval"),
		maxBy(fmt.Sprintf("last_over_time(%s[$__range] @ end())", ofRun(metrics.LoadPhaseActive)), phase...), mostPhases)
}

// faultMoments returns when a fault hit a node of the store, and when the node was ready again.
func faultMoments() string {
	return "1000 * " + maxBy(ofLoad(metrics.ExperimentFault), metrics.LabelServer, metrics.LabelPhase, metrics.LabelRound, metrics.LabelRepeat,
		metrics.LabelMeasurement, metrics.LabelIndex, metrics.LabelFault, metrics.LabelNode, metrics.LabelEvent)
}
