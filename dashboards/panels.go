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

// Names of units in Grafana.
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

// Shortest steps of graphs. Panels without one have that of the data source, which is the scrape interval of stores.
const (
	stepLoad  = "1s"  // the scrape interval of load pods
	stepRules = "5s"  // the interval of recording rules
	stepNode  = "60s" // the longest scrape interval of kubelets that a profile sets
	// stepRun is shorter than the time between two runs of an experiment.
	stepRun = "1m"
)

// Sizes in Grafana's grid of 24 columns.
const (
	full  = 24
	half  = 12
	third = 8
	sixth = 4

	low    = 4
	tall   = 8
	taller = 11
)

// query is a PromQL query and the legend of its series.
type query struct{ expr, legend string }

// head has the settings that all kinds of panels share.
type head struct {
	title       string
	description string
	unit        string
	width       uint32
	// step is the shortest step of its graph; empty means that of the data source.
	step string
	// without is the panel's text if there is nothing to draw; empty means nothingYet.
	without string
}

// nothingYet is the text of most panels without data.
const nothingYet = "No load of this run in the time range"

// empty returns the panel's text if there is nothing to draw.
func (h head) empty() string { return cmp.Or(h.without, nothingYet) }

// target sets the panel's shortest step on the query: Grafana derives $__rate_interval from the query's step, and the
// number of points from the panel's.
func target(index int, q query, step string) *prometheus.DataqueryBuilder {
	return prometheus.NewDataqueryBuilder().
		RefId(string(rune('A' + index))).
		Expr(q.expr).
		Interval(step).
		LegendFormat(q.legend).
		EditorMode(prometheus.QueryEditorModeCode)
}

// ranges returns the queries of a panel over the time range.
func ranges(step string, queries []query) []cog.Builder[dataquery] {
	targets := make([]cog.Builder[dataquery], len(queries))
	for i, q := range queries {
		targets[i] = target(i, q, step).Range()
	}
	return targets
}

// instants returns the queries of a panel at the end of the time range.
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

// line returns a panel with figures over time.
func line(h head, queries ...query) *timeseries.PanelBuilder {
	return timeseries.NewPanelBuilder().
		Title(h.title).Description(h.description).Unit(h.unit).NoValue(h.empty()).Span(h.width).Height(tall).
		Datasource(datasource()).Interval(h.step).
		Targets(ranges(h.step, queries)).
		LineWidth(1).FillOpacity(5).ShowPoints(common.VisibilityModeAuto).
		Legend(common.NewVizLegendOptionsBuilder().
			DisplayMode(common.LegendDisplayModeTable).Placement(common.LegendPlacementBottom).ShowLegend(true).
			Calcs([]string{"mean", "max"})).
		Tooltip(common.NewVizTooltipOptionsBuilder().
			Mode(common.TooltipDisplayModeMulti).Sort(common.SortOrderDescending))
}

// graph returns a panel whose axis begins at zero, for counts, rates and times: other axes exaggerate differences.
func graph(h head, queries ...query) *timeseries.PanelBuilder {
	return line(h, queries...).Min(0)
}

// latencyGraph returns a panel with a logarithmic axis, because servers and percentiles differ by orders of magnitude.
// Such an axis cannot begin at zero.
func latencyGraph(h head, queries ...query) *timeseries.PanelBuilder {
	return line(h, queries...).
		ScaleDistribution(common.NewScaleDistributionConfigBuilder().Type(common.ScaleDistributionLog).Log(10))
}

// figure returns a panel with the latest value of each series.
func figure(h head, queries ...query) *stat.PanelBuilder {
	return stat.NewPanelBuilder().
		Title(h.title).Description(h.description).Unit(h.unit).NoValue(h.empty()).Span(h.width).Height(low).
		Datasource(datasource()).Interval(h.step).
		Targets(ranges(h.step, queries)).
		ReduceOptions(lastValue()).
		TextMode(common.BigValueTextModeValueAndName).
		GraphMode(common.BigValueGraphModeNone).ColorMode(common.BigValueColorModeNone)
}

// best is the sort order of bars.
type best string

const (
	mostFirst  best = "sort_desc"
	leastFirst best = "sort"
)

// bars returns a panel that compares one figure per series over the whole time range, the best first. It has space for
// a dozen bars, and shrinks them instead of scrolling.
func bars(h head, order best, q query) *bargauge.PanelBuilder {
	q.expr = string(order) + "(" + q.expr + ")"
	return bargauge.NewPanelBuilder().
		Title(h.title).Description(h.description).Unit(h.unit).NoValue(h.empty()).Span(h.width).Height(taller).
		Datasource(datasource()).Interval(h.step).
		Targets(instants(h.step, prometheus.PromQueryFormatTimeSeries, []query{q})).
		Min(0).
		DisplayName("${__field.labels.server}"). // Grafana leaves a single bar without the name of its legend
		ReduceOptions(lastValue()).
		Orientation(common.VizOrientationHorizontal).
		DisplayMode(common.BarGaugeDisplayModeBasic).
		MinVizHeight(8).MinVizWidth(0).
		ColorScheme(palette())
}

// palette returns a palette that the oldest supported Grafana has.
func palette() *dashboard.FieldColorBuilder {
	return dashboard.NewFieldColorBuilder().Mode(dashboard.FieldColorModeIdPaletteClassic)
}

// states returns a panel that shows the current state over time.
func states(h head, queries ...query) *statetimeline.PanelBuilder {
	return statetimeline.NewPanelBuilder().
		Title(h.title).Description(h.description).Unit(h.unit).NoValue(h.empty()).Span(h.width).Height(tall).
		Datasource(datasource()).Interval(h.step).
		Targets(ranges(h.step, queries)).
		MergeValues(true).ShowValue(common.VisibilityModeNever).
		ColorScheme(palette())
}

// latencyHeatmap returns a panel that shows a native histogram over time.
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

// hiddenColumn is the name of a column whose labels are shown, and whose value is not.
const hiddenColumn = ""

// column is a figure in a table.
type column struct {
	name string
	unit string
	expr string
}

// figures returns a table with a row per server and operation, and a column per figure.
func figures(h head, columns ...column) *table.PanelBuilder {
	queries := make([]query, len(columns))
	names, hidden := map[string]string{}, map[string]bool{"Time": true}
	panel := table.NewPanelBuilder()
	for i, c := range columns {
		queries[i] = query{expr: c.expr}
		value := "Value #" + string(rune('A'+i))
		if c.name == hiddenColumn {
			hidden[value] = true
			continue
		}
		names[value] = c.name
		panel.OverrideByName(c.name, []dashboard.DynamicConfigValue{{Id: "unit", Value: c.unit}})
	}
	return panel.
		Title(h.title).Description(h.description).Unit(h.unit).NoValue(h.empty()).Span(h.width).Height(tall).
		Datasource(datasource()).Interval(h.step).
		Targets(instants(h.step, prometheus.PromQueryFormatTable, queries)).
		Filterable(true).MinWidth(80).
		WithTransformation(dashboard.DataTransformerConfig{Id: "merge", Options: map[string]any{}}).
		WithTransformation(dashboard.DataTransformerConfig{Id: "organize", Options: map[string]any{
			"excludeByName": hidden,
			"renameByName":  names,
		}})
}
