package dashboards

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

// Columns of the list of runs that its links read.
const (
	columnBegan = "Began"
	columnUntil = "Until"
)

// listOfRuns is the home page: the runs, with links that show each in its own time range.
func listOfRuns() *dashboard.DashboardBuilder {
	perRun := []string{metrics.LabelExperiment, metrics.LabelRun}
	of := func(metric string) string { return maxBy(latest(metric), perRun...) }
	outcome := func(outcome string) string {
		return of(selector(metrics.ExperimentMeasurements, is(metrics.LabelOutcome, outcome)))
	}
	accepted, finished := of(metrics.ExperimentAccepted), of(metrics.ExperimentFinished)
	return blank("Runs", "ringside-runs", "The runs that the operator reported, the latest first. A click on a run shows it in its own time range.",
		[]variable{datasourceVariable()}).
		Time("now-7d", "now").
		Refresh("30s").
		WithPanel(figures(head{
			title: "Runs", unit: unitCount, width: full, without: "The operator reported no run in the time range",
			description: "Runs in the time range. A run that was removed from the cluster has no state.",
		},
			column{columnBegan, unitDate, "1000 * " + accepted},
			column{"Duration", unitSeconds, fmt.Sprintf("(%s or time() + 0 * %s) - %s", finished, accepted, accepted)},
			column{"Planned", unitCount, outcome(metrics.OutcomePlanned)},
			column{"Finished", unitCount, outcome(metrics.OutcomeFinished)},
			column{"Invalid", unitCount, outcome(metrics.OutcomeInvalid)},
			// A minute later, Prometheus has the last samples of the load pods.
			column{columnUntil, unitDate, fmt.Sprintf("1000 * (60 + (%s or time() + 0 * %s))", finished, accepted)},
			column{hiddenColumn, unitCount, maxBy(metrics.ExperimentState, append(perRun, metrics.LabelState)...) + " == 1"},
		).
			Height(22).
			SortBy([]cog.Builder[common.TableSortByFieldState]{common.NewTableSortByFieldStateBuilder().DisplayName(columnBegan).Desc(true)}).
			OverrideByName(metrics.LabelRun, []dashboard.DynamicConfigValue{{Id: "links", Value: []map[string]string{
				linkTo("Experiment", uidExperiment), linkTo("Server comparison", uidComparison), linkTo("Store", uidStore),
			}}}))
}

// linkTo opens a dashboard of the run in a row of the list.
func linkTo(title, uid string) map[string]string {
	of := func(name string) string { return fmt.Sprintf("${__data.fields[%q].text}", name) }
	at := func(name string) string { return fmt.Sprintf("${__data.fields[%q].numeric}", name) }
	return map[string]string{"title": title, "url": fmt.Sprintf("/d/%s?from=%s&to=%s&var-%s=%s&var-%s=%s&${%s:queryparam}", uid, at(columnBegan), at(columnUntil),
		variableExperiment, of(metrics.LabelExperiment), variableRun, of(metrics.LabelRun), variableDatasource)}
}
