package metrics

// Metrics of the history of an experiment, which ringside history exports. All have LabelExperiment, and the time of a sample is when its run
// began.
const (
	HistoryRun            = "ringside_history_run_timestamp_seconds"
	HistoryComparison     = "ringside_history_comparison"
	HistoryComparisonLow  = "ringside_history_comparison_low"
	HistoryComparisonHigh = "ringside_history_comparison_high"
	HistoryFigure         = "ringside_history_figure"
	HistoryJudged         = "ringside_history_judged"
	// Samples cannot be changed or deleted once Prometheus has them, but a later run may move a change or undo it. So all changes that a history has
	// are exported at the time of its latest run, and HistoryChangeSeen has that time: a change is of the latest history if it has that of HistoryRun.
	HistoryChange     = "ringside_history_change"
	HistoryChangeTime = "ringside_history_change_timestamp_seconds"
	HistoryChangeSeen = "ringside_history_change_seen_timestamp_seconds"
)

// Labels of the metrics of a history.
const (
	// LabelBaseline is the server that figures are compared with.
	LabelBaseline = "baseline"
	// LabelLoad is the phase, with what distinguishes it from other loads of that phase.
	LabelLoad = "load"
	// LabelMetric is the name of a metric, as in the CSV.
	LabelMetric = "metric"
	// LabelFirstRun is the first run of a series. Runs of different series did not measure the same.
	LabelFirstRun = "first_run"
	// LabelIs is what a change is: slower, faster, another word of the metric, or unresolved.
	LabelIs = "is"

	// Values of LabelKind of HistoryComparison.
	KindRatio      = "ratio"
	KindDifference = "difference"
)

// HistoryMetric is a metric of the history with its description.
type HistoryMetric struct {
	Name, Help string
	Labels     []string
}

// History returns the metrics of the history, in the order in which they are exported.
func History() []HistoryMetric {
	series := []string{LabelExperiment, LabelServer, LabelLoad, LabelMetric, LabelFirstRun}
	compared := append([]string{LabelBaseline}, series...)
	withKind := append([]string{LabelKind}, compared...)
	change := append([]string{LabelRun, LabelIs}, compared...)
	return []HistoryMetric{
		{HistoryRun, "When the run began, as Unix time.", []string{LabelExperiment}},
		{HistoryComparison, "Ratio of a server to the baseline in the same run, or its difference for metrics that are compared by differences.", withKind},
		{HistoryComparisonLow, "Lower end of the 95% interval of ringside_history_comparison.", withKind},
		{HistoryComparisonHigh, "Upper end of the 95% interval of ringside_history_comparison.", withKind},
		{HistoryFigure, "Figure of a server in a run, in the unit of the metric in the CSV.", series},
		{HistoryJudged, "1 if changes of the series are judged, else 0; at the time of the latest run.", compared},
		{HistoryChange, "Ratio of the figures since a change to those before it, or their difference; at the time of the latest run.",
			append([]string{LabelKind}, change...)},
		{HistoryChangeTime, "When the first run after a change began, as Unix time; at the time of the latest run.", change},
		{HistoryChangeSeen, "When the latest run of the history that has the change began, as Unix time; at the time of that run.", change},
	}
}
