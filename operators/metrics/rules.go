package metrics

// Recording rules, per server: labels LabelExperiment, LabelRun, LabelStore, LabelServer, LabelOperation, and LabelKind
// for latencies.
const (
	// RuleOpRate is the answered operations per second of a server over all load pods, while a phase drives load.
	RuleOpRate = "server:ringside_load_operations:rate"
	// RuleErrorRate is the failed operations per second of a server over all load pods.
	RuleErrorRate = "server:ringside_load_errors:rate"
	// RuleLatencyP50 is the median latency of a server, from the merged histograms of all load pods.
	RuleLatencyP50 = "server:ringside_load_latency_seconds:p50"
	// RuleLatencyP95 is the 95th percentile, likewise.
	RuleLatencyP95 = "server:ringside_load_latency_seconds:p95"
	// RuleLatencyP999 is the 99.9th percentile, likewise.
	RuleLatencyP999 = "server:ringside_load_latency_seconds:p999"
	// RuleStoreNodesUp is the number of nodes that answer, for each installation of a store.
	RuleStoreNodesUp = "release:ringside_store_up:sum"
)

// Alerts.
const (
	AlertExperimentStuck = "RingsideExperimentStuck"
	AlertOperatorDown    = "RingsideOperatorDown"
	AlertLoadSaturated   = "RingsideLoadPodSaturated"
	AlertStoreNodeDown   = "RingsideStoreNodeDown"
)
