package dashboards

import (
	"fmt"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/common"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"

	"ringside.dev/ringside/operators/metrics"
)

// Names of the dashboards' variables.
const (
	variableDatasource = "datasource"
	variableExperiment = metrics.LabelExperiment
	variableRun        = metrics.LabelRun
	variableServer     = metrics.LabelServer
	variableOperation  = metrics.LabelOperation
	variableRound      = metrics.LabelRound
	variableKind       = metrics.LabelKind
	variableBaseline   = "baseline"
	variableInstance   = labelInstance
	variableServerType = metrics.LabelServerType
	variableLoad       = metrics.LabelLoad
	variableMetric     = metrics.LabelMetric
)

// Labels that Prometheus adds to scraped series. Those of store nodes are configured in the monitoring chart.
const (
	labelInstance  = "instance"
	labelJob       = "job"
	labelPod       = "pod"
	labelContainer = "container"

	jobStore = "ringside-store"
)

type variable = cog.Builder[dashboard.VariableModel]

func datasource() common.DataSourceRef {
	return common.DataSourceRef{Type: cog.ToPtr("prometheus"), Uid: cog.ToPtr("${" + variableDatasource + "}")}
}

func datasourceVariable() variable {
	return dashboard.NewDatasourceVariableBuilder(variableDatasource).Label("Data source").Type("prometheus")
}

// one returns a variable for one value of a label, newest first: the names of runs contain their start time.
func one(name, label, ofLabel, series string) *dashboard.QueryVariableBuilder {
	query := fmt.Sprintf("label_values(%s, %s)", series, ofLabel)
	return dashboard.NewQueryVariableBuilder(name).
		Label(label).
		Datasource(datasource()).
		Query(dashboard.StringOrMap{String: &query}).
		Definition(query).
		Refresh(dashboard.VariableRefreshOnTimeRangeChanged).
		Sort(dashboard.VariableSortAlphabeticalDesc)
}

// some returns a variable for several values, with all selected by default.
func some(name, label, ofLabel, series string) *dashboard.QueryVariableBuilder {
	everything := dashboard.VariableOption{
		Selected: cog.ToPtr(true),
		Text:     dashboard.StringOrArrayOfString{ArrayOfString: []string{"All"}},
		Value:    dashboard.StringOrArrayOfString{ArrayOfString: []string{"$__all"}},
	}
	return one(name, label, ofLabel, series).
		Multi(true).IncludeAll(true).AllValue(".+").Current(everything).
		Sort(dashboard.VariableSortAlphabeticalAsc)
}

// runVariables returns the variables that select a run, among those with series of the metric.
func runVariables(metric string) []variable {
	return []variable{
		datasourceVariable(),
		one(variableExperiment, "Experiment", metrics.LabelExperiment, metric),
		one(variableRun, "Run", metrics.LabelRun, selector(metric, is(metrics.LabelExperiment, "$experiment"))),
	}
}

// loadVariables returns the variables for the load figures of a run.
func loadVariables() []variable {
	info := ofRun(metrics.LoadPhaseInfo)
	return append(runVariables(metrics.LoadPhaseInfo),
		some(variableServer, "Server", metrics.LabelServer, info),
		some(variableOperation, "Operation", metrics.LabelOperation, info),
		some(variableRound, "Round", metrics.LabelRound, info).Sort(dashboard.VariableSortNumericalAsc),
		one(variableKind, "Latency", metrics.LabelKind, ofRun(metrics.LoadLatency)).
			Description("service: from the request to the reply. response: from when the operation was due at the constant rate to the reply.").
			Current(dashboard.VariableOption{
				Selected: cog.ToPtr(true),
				Text:     dashboard.StringOrArrayOfString{String: cog.ToPtr("service")},
				Value:    dashboard.StringOrArrayOfString{String: cog.ToPtr("service")},
			}),
	)
}

// serverOfResult matches the server in a line of a query's result.
const serverOfResult = `/server="([^"]+)"/`

// baselineVariable returns a variable with all servers of the run, the experiment's baseline first. It works without
// metrics of the operator too.
func baselineVariable() variable {
	query := "query_result(" + serversBaselineFirst() + ")"
	return dashboard.NewQueryVariableBuilder(variableBaseline).
		Label("Baseline").
		Description("The server that ratios refer to: the experiment's baseline, unless you choose another.").
		Datasource(datasource()).
		Query(dashboard.StringOrMap{String: &query}).
		Definition(query).
		Regex(serverOfResult).
		Refresh(dashboard.VariableRefreshOnTimeRangeChanged).
		Sort(dashboard.VariableSortDisabled)
}

func serversBaselineFirst() string {
	return fmt.Sprintf("sort_desc(%s or 0 * %s)",
		maxBy(latest(ofRun(metrics.ExperimentBaseline)), metrics.LabelServer),
		maxBy(latest(ofRun(metrics.LoadPhaseInfo)), metrics.LabelServer))
}

// storeVariables returns the variables for the store nodes of a run.
func storeVariables() []variable {
	store := selector("up", is(labelJob, jobStore))
	return []variable{
		datasourceVariable(),
		one(variableExperiment, "Experiment", metrics.LabelExperiment, store),
		one(variableRun, "Run", metrics.LabelRun, selector("up", is(labelJob, jobStore), is(metrics.LabelExperiment, "$experiment"))),
		some(variableInstance, "Node", labelInstance, ofRun("up", is(labelJob, jobStore))),
	}
}
