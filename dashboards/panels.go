package dashboards

import (
	"cmp"

	"github.com/grafana/grafana-foundation-sdk/go/bargauge"
	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/heatmap"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/statetimeline"
	"github.com/grafana/grafana-foundation-sdk/go/table"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

// Grafana's names of units.
const (
	unitCount     = "short"
	unitCPUs      = "none"
	unitOps       = "ops"
	unitPerSecond = "cps"
	unitSeconds   = "s"
	unitMillis    = "ms"
	unitRatio     = "percentunit"
	unitTimes     = "none"
	unitBytes     = "bytes"
	unitByteRate  = "Bps"
)

// Shortest steps of a graph: as often as the monitoring chart has the figures collected.
const (
	stepLoad  = "1s"
	stepStore = "5s"
	stepNode  = "30s"
)

// Sizes on Grafana's grid of 24 columns.
const (
	full  = 24
	half  = 12
	third = 8
	sixth = 4

	low    = 4
	tall   = 8
	taller = 11
)

// query is one PromQL query, and how its series are called.
type query struct{ expr, legend string }

// head is what all kinds of panels have in common.
type head struct {
	title       string
	description string
	unit        string
	width       uint32
	// step is the shortest one of its graph.
	step string
	// without is the panel's text when there is nothing to draw; empty is nothingYet.
	without string
}

// nothingYet is what most panels wait for.
const nothingYet = "No load of this run in the time range"

// empty returns the panel's text when there is nothing to draw.
func (h head) empty() string { return cmp.Or(h.without, nothingYet) }

// target asks with the panel's shortest step: Grafana takes the width of $__rate_interval from the query's own, and how many
// points it draws from the panel's.
func target(index int, q query, step string) *prometheus.DataqueryBuilder {
	return prometheus.NewDataqueryBuilder().
		RefId(string(rune('A' + index))).
		Datasource(datasource()).
		Expr(q.expr).
		Interval(step).
		LegendFormat(q.legend).
		EditorMode(prometheus.QueryEditorModeCode)
}

// ranges ask for every step of the time range, instants for one answer at its end.
func ranges(step string, queries []query) []cog.Builder[dataquery] {
	targets := make([]cog.Builder[dataquery], len(queries))
	for i, q := range queries {
		targets[i] = target(i, q, step).Range()
	}
	return targets
}

func instants(step string, format prometheus.PromQueryFormat, queries []query) []cog.Builder[dataquery] {
	targets := make([]cog.Builder[dataquery], len(queries))
	for i, q := range queries {
		targets[i] = target(i, q, step).Instant().Format(format)
	}
	return targets
}

func lastValue() *common.ReduceDataOptionsBuilder {
	return common.NewReduceDataOptionsBuilder().Calcs([]string{"lastNotNull"})
}

// line shows figures over time.
func line(h head, queries ...query) *timeseries.PanelBuilder {
	return timeseries.NewPanelBuilder().
		Title(h.title).Description(h.description).Unit(h.unit).NoValue(h.empty()).Span(h.width).Height(tall).
		Datasource(datasource()).Interval(h.step).
		Targets(ranges(h.step, queries)).
		LineWidth(1).FillOpacity(5).ShowPoints(common.VisibilityModeNever).
		Legend(common.NewVizLegendOptionsBuilder().
			DisplayMode(common.LegendDisplayModeTable).Placement(common.LegendPlacementBottom).ShowLegend(true).
			Calcs([]string{"mean", "max"})).
		Tooltip(common.NewVizTooltipOptionsBuilder().
			Mode(common.TooltipDisplayModeMulti).Sort(common.SortOrderDescending))
}

// graph begins at zero. It is for counts, rates and times: a curve that hangs in the air exaggerates.
func graph(h head, queries ...query) *timeseries.PanelBuilder {
	return line(h, queries...).Min(0)
}

// latencyGraph has a logarithmic axis: servers and percentiles are far apart. Such an axis has no zero to begin at.
func latencyGraph(h head, queries ...query) *timeseries.PanelBuilder {
	return line(h, queries...).
		ScaleDistribution(common.NewScaleDistributionConfigBuilder().Type(common.ScaleDistributionLog).Log(10))
}

// figure shows the latest value of each series.
func figure(h head, queries ...query) *stat.PanelBuilder {
	return stat.NewPanelBuilder().
		Title(h.title).Description(h.description).Unit(h.unit).NoValue(h.empty()).Span(h.width).Height(low).
		Datasource(datasource()).Interval(h.step).
		Targets(ranges(h.step, queries)).
		ReduceOptions(lastValue()).
		TextMode(common.BigValueTextModeValueAndName).
		GraphMode(common.BigValueGraphModeNone).ColorMode(common.BigValueColorModeNone)
}

// best is the order of bars.
type best string

const (
	mostFirst  best = "sort_desc"
	leastFirst best = "sort"
)

// bars compare one figure per series over the whole time range, the best first. They are tall enough for a dozen, and shrink
// rather than scroll.
func bars(h head, order best, q query) *bargauge.PanelBuilder {
	q.expr = string(order) + "(" + q.expr + ")"
	return bargauge.NewPanelBuilder().
		Title(h.title).Description(h.description).Unit(h.unit).NoValue(h.empty()).Span(h.width).Height(taller).
		Datasource(datasource()).Interval(h.step).
		Targets(instants(h.step, prometheus.PromQueryFormatTimeSeries, []query{q})).
		Min(0).
		ReduceOptions(lastValue()).
		Orientation(common.VizOrientationHorizontal).
		DisplayMode(common.BarGaugeDisplayModeBasic).
		MinVizHeight(8).MinVizWidth(0).
		ColorScheme(palette())
}

// palette is the one that the oldest Grafana has, too.
func palette() *dashboard.FieldColorBuilder {
	return dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdPaletteClassic)
}

// states show which of several states held, over time.
func states(h head, queries ...query) *statetimeline.PanelBuilder {
	return statetimeline.NewPanelBuilder().
		Title(h.title).Description(h.description).Unit(h.unit).NoValue(h.empty()).Span(h.width).Height(tall).
		Datasource(datasource()).Interval(h.step).
		Targets(ranges(h.step, queries)).
		MergeValues(true).ShowValue(common.VisibilityModeNever).
		ColorScheme(palette())
}

// latencyHeatmap shows all of a native histogram over time.
func latencyHeatmap(h head, q query) *heatmap.PanelBuilder {
	return heatmap.NewPanelBuilder().
		Title(h.title).Description(h.description).Unit(h.unit).NoValue(h.empty()).Span(h.width).Height(tall).
		Datasource(datasource()).Interval(h.step).
		WithTarget(target(0, q, h.step).Range().Format(prometheus.PromQueryFormatHeatmap)).
		YAxis(heatmap.NewYAxisConfigBuilder().Unit(h.unit).
			ScaleDistribution(common.NewScaleDistributionConfigBuilder().Type(common.ScaleDistributionLog).Log(10))).
		CellValues(heatmap.NewCellValuesBuilder().Unit(unitOps)).
		Color(heatmap.NewHeatmapColorOptionsBuilder().
			Mode(heatmap.HeatmapColorModeScheme).Scheme("Viridis").Scale(heatmap.HeatmapColorScaleExponential).Exponent(0.5).Steps(64))
}

// column is one figure of a table.
type column struct {
	name string
	unit string
	expr string
}

// figures is a table: a row per server and operation, a column per figure.
func figures(h head, columns ...column) *table.PanelBuilder {
	queries := make([]query, len(columns))
	names := map[string]string{}
	panel := table.NewPanelBuilder()
	for i, c := range columns {
		queries[i] = query{expr: c.expr}
		names["Value #"+string(rune('A'+i))] = c.name
		panel.OverrideByName(c.name, []dashboard.DynamicConfigValue{{Id: "unit", Value: c.unit}})
	}
	return panel.
		Title(h.title).Description(h.description).Unit(h.unit).NoValue(h.empty()).Span(h.width).Height(tall).
		Datasource(datasource()).Interval(h.step).
		Targets(instants(h.step, prometheus.PromQueryFormatTable, queries)).
		Filterable(true).
		WithTransformation(dashboard.DataTransformerConfig{Id: "merge", Options: map[string]any{}}).
		WithTransformation(dashboard.DataTransformerConfig{Id: "organize", Options: map[string]any{
			"excludeByName": map[string]bool{"Time": true},
			"renameByName":  names,
		}})
}
