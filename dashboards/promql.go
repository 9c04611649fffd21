package dashboards

import (
	"fmt"
	"strings"

	"ringside.dev/ringside/operators/metrics"
)

// is returns a matcher of a value; among returns a matcher of the values chosen in a variable.
func is(label, value string) string       { return fmt.Sprintf(`%s="%s"`, label, value) }
func among(label, variable string) string { return fmt.Sprintf(`%s=~"$%s"`, label, variable) }

func selector(metric string, matchers ...string) string {
	return metric + "{" + strings.Join(matchers, ", ") + "}"
}

// ofRun selects series of the chosen run.
func ofRun(metric string, matchers ...string) string {
	run := []string{is(metrics.LabelExperiment, "$experiment"), is(metrics.LabelRun, "$run")}
	return selector(metric, append(run, matchers...)...)
}

// ofLoad selects series of load pods of the chosen run's chosen servers, operations and rounds.
func ofLoad(metric string, matchers ...string) string {
	chosen := []string{
		among(metrics.LabelServer, variableServer),
		among(metrics.LabelOperation, variableOperation),
		among(metrics.LabelRound, variableRound),
	}
	return ofRun(metric, append(chosen, matchers...)...)
}

// ofRules selects recorded series of the chosen run's servers and operations. They do not distinguish rounds.
func ofRules(metric string, matchers ...string) string {
	chosen := []string{
		among(metrics.LabelServer, variableServer),
		among(metrics.LabelOperation, variableOperation),
	}
	return ofRun(metric, append(chosen, matchers...)...)
}

// ofStore selects series of the chosen run's chosen store nodes.
func ofStore(metric string, matchers ...string) string {
	return ofRun(metric, append([]string{among(labelInstance, variableInstance)}, matchers...)...)
}

// ofThrift selects series of Thrift servers on these nodes.
func ofThrift(metric string, matchers ...string) string {
	return ofStore(metric, append([]string{among(metrics.LabelServerType, variableServerType)}, matchers...)...)
}

func aggregate(function string, expr string, by ...string) string {
	if len(by) == 0 {
		return fmt.Sprintf("%s(%s)", function, expr)
	}
	return fmt.Sprintf("%s by (%s) (%s)", function, strings.Join(by, ", "), expr)
}

func sumBy(expr string, by ...string) string { return aggregate("sum", expr, by...) }
func maxBy(expr string, by ...string) string { return aggregate("max", expr, by...) }

// Names of a store's pods, after the name of a server: <server>-r<round>-<digest>-<ordinal>, or shared-<digest>-<ordinal>
// in a store that hosts several servers, with the server before the ordinal if each has a pod of its own.
const (
	sharedPod = `(.*) (shared)(?:-i[0-9]+)?-[0-9a-f]{6}-([0-9]+)`
	ownPod    = `.* (?:shared(?:-i[0-9]+)?-[0-9a-f]{6}-(.+)|(.+)-r[0-9]+-[0-9a-f]{6})-([0-9]+)`
)

// member is the label that names a node of a store by its server and ordinal, so that the nodes of all rounds are one
// series. noLabel is a label that no series has.
const (
	member  = "member"
	noLabel = "none"
)

// sumNodes adds up by node.
func sumNodes(expr string, by ...string) string {
	return sumBy(named(expr, noLabel, labelInstance, "$2 $3"), append([]string{member}, by...)...)
}

// sumServers adds up by node and server, for metrics with a label that names the server: the name of a pod that several
// servers share does not.
func sumServers(expr, server string) string {
	return sumBy(named(expr, server, labelInstance, "$1 $3"), member)
}

// named adds the label member, from the labels that name the server and the pod.
func named(expr, server, pod, shared string) string {
	return fmt.Sprintf(`label_replace(label_replace(label_join(%s, %q, " ", %q, %q), %q, %q, %q, %q), %q, "$1$2 $3", %q, %q)`,
		expr, member, server, pod, member, shared, member, sharedPod, member, member, ownPod)
}

func rate(counter string) string     { return fmt.Sprintf("rate(%s[$__rate_interval])", counter) }
func increase(counter string) string { return fmt.Sprintf("increase(%s[$__rate_interval])", counter) }

// latest returns the last value in the dashboard's time range, even if the series has ended.
func latest(series string) string { return fmt.Sprintf("last_over_time(%s[$__range])", series) }

// highest returns the highest value in the dashboard's time range. For a counter of a load pod this is its total: the
// counter starts at 0 with the pod, which lives for one phase. increase() would extrapolate before the first sample.
func highest(series string) string { return fmt.Sprintf("max_over_time(%s[$__range])", series) }

// perServer has the labels that distinguish load figures.
var perServer = []string{metrics.LabelServer, metrics.LabelOperation}

// quantile is a value of metrics.Quantiles in PromQL and its name.
type quantile struct{ label, name string }

var (
	median = quantile{"0.5", "median"}
	p95    = quantile{"0.95", "95th percentile"}
	p99    = quantile{"0.99", "99th percentile"}
	p999   = quantile{"0.999", "99.9th percentile"}
)

// latency returns latency over time: from the merged native histograms, or else the highest of the pods' own quantiles.
func latency(q quantile) string {
	kind := among(metrics.LabelKind, variableKind)
	return fmt.Sprintf("histogram_quantile(%s, %s) or %s", q.label,
		sumBy(rate(ofLoad(metrics.LoadLatency, kind)), perServer...),
		maxBy(ofLoad(metrics.LoadIntervalLatency, kind, is(metrics.LabelQuantile, q.label)), perServer...))
}

// latencyOfAll returns the latency over the whole time range. It is exact within the histogram's buckets, because a
// load pod's histogram covers its phase and histograms are merged completely.
func latencyOfAll(q quantile) string {
	return fmt.Sprintf("histogram_quantile(%s, %s)", q.label,
		sumBy(latest(ofLoad(metrics.LoadLatency, among(metrics.LabelKind, variableKind))), perServer...))
}

// opRateOfAll returns the answered operations divided by the active time: the pods of a phase run in parallel, phases
// one after the other.
func opRateOfAll() string {
	cell := append([]string{metrics.LabelPhase, metrics.LabelRound, metrics.LabelRepeat}, perServer...)
	return fmt.Sprintf("%s / %s",
		sumBy(highest(ofLoad(metrics.LoadOperations)), perServer...),
		sumBy(maxBy(highest(ofLoad(metrics.LoadActiveSeconds)), cell...), perServer...))
}

// toBaseline divides the figure of each server by that of the baseline for the same operation.
func toBaseline(figure string) string {
	baseline := strings.ReplaceAll(figure, among(metrics.LabelServer, variableServer), is(metrics.LabelServer, "$"+variableBaseline))
	return fmt.Sprintf("(%s) / on (%s) group_left () (%s)", figure, metrics.LabelOperation,
		sumBy(baseline, metrics.LabelOperation))
}
